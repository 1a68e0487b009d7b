const baseMs = 500
const longestMs = 30_000

/**
 * How long to wait after so many failures in a row (0 after the first): anything up to a doubling bound of at most
 * 30 s ("full jitter"), so that the verifiers of a server that comes back do not all return at once.
 * `random` gives [0, 1).
 */
export const backOffMs = (failuresBefore: number, random: () => number): number =>
  Math.floor(random() * Math.min(longestMs, baseMs * 2 ** Math.min(failuresBefore, 16)))
