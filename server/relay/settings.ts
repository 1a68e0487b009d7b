/** How the relay treats its callers and its upstreams. Times in ms. */
export interface RelaySettings {
  readonly bodyBytes: number
  readonly batchCalls: number
  readonly depth: number
  /** From the request to the last answer, all attempts included. */
  readonly totalMs: number
  readonly connectMs: number
  readonly firstByteMs: number
  /** Between two pieces of an answer. */
  readonly idleMs: number
  /** How long a connection that nobody uses is kept open. */
  readonly unusedMs: number
  readonly answerBytes: number
  /** Of all answers that are on their way, together. */
  readonly allAnswerBytes: number
  /** Upstreams that are asked, one after the other or by hedging, for one read. */
  readonly attempts: number
  /** A read that takes longer than 95 of 100 others at its upstream is asked of a second one; null: never. */
  readonly hedgeAfterMs: number | null
  /** Of one upstream. */
  readonly connections: number
  readonly waiting: number
  readonly cacheBytes: number
}

export const relaySettings: RelaySettings = {
  bodyBytes: 1_048_576,
  batchCalls: 1_000,
  depth: 64,
  totalMs: 30_000,
  connectMs: 2_000,
  firstByteMs: 10_000,
  idleMs: 5_000,
  unusedMs: 30_000,
  answerBytes: 33_554_432,
  allAnswerBytes: 268_435_456,
  attempts: 3,
  hedgeAfterMs: 100, // and not before the upstream's own 95th percentile
  connections: 256,
  waiting: 1_024,
  cacheBytes: 33_554_432,
}
