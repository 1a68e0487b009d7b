/** A repeatable sequence of numbers from 0 to 1, 1 excluded (xorshift32). */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

/** Draws how long after the last request the next one comes, in microseconds. */
type Gap = (random: () => number, periodMicros: number, units: number) => number

/** What limiters get wrong: bursts on both sides of an edge, a burst after a rest, returning just when something leaves. */
export const arrivalPatterns: Readonly<Record<string, Gap>> = {
  steadyTooFast: (_random, period, units) => Math.ceil(period / (units * 1.5)),
  poisson: (random, period, units) => Math.floor((-Math.log(1 - random()) * period) / (units * 1.5)),
  burstsAtEdges: (random, period, units) =>
    random() < 1 / (2 * units) ? period - Math.floor(random() * 3) : Math.floor(random() * 2),
  burstAfterRest: (random, period, units) =>
    random() < 1 / (3 * units)
      ? Math.floor(random() * 2 * period)
      : Math.floor((random() * period) / (4 * units)),
  everyOtherSubBucket: (random, period) =>
    random() < 0.1 ? Math.ceil(period / 60) + Math.floor(random() * 3) - 1 : 0,
  onTheMicrosecond: (random, period, units) => (random() < 1 / units ? period + Math.floor(random() * 2) : 0),
}
