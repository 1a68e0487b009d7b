const baseMs = 500
const longestMs = 30_000

/**
 * Milliseconds to wait after `failuresBefore` + 1 failures in a row: a random time up to a doubling bound of at most
 * 30 s ("full jitter"), so that the verifiers of a server that comes back do not all return at once.
 * `random` returns a number in [0, 1).
 */
export const backOffMs = (failuresBefore: number, random: () => number): number =>
  Math.floor(random() * Math.min(longestMs, baseMs * 2 ** Math.min(failuresBefore, 16)))
