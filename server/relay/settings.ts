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
  /** WebSockets of callers. */
  readonly sockets: number
  readonly socketsPerKey: number
  /** Messages of one WebSocket that are being answered; further ones wait. */
  readonly messagesUnderWay: number
  readonly messagesWaiting: number
  readonly charsWaiting: number
  /** Of one WebSocket. */
  readonly subscriptions: number
  /** Longer messages of an upstream end its WebSocket. */
  readonly notificationChars: number
  /** An upstream that is silent for two of these is given up. */
  readonly heartbeatMs: number
  /** How soon a WebSocket is closed whose key may not be used any more. */
  readonly recheckMs: number
  /** How long calls may still be answered when the server goes away. */
  readonly leaveMs: number
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
  sockets: 10_000,
  socketsPerKey: 100,
  messagesUnderWay: 64,
  messagesWaiting: 4_096,
  charsWaiting: 2_097_152,
  subscriptions: 1_000,
  notificationChars: 4_194_304,
  heartbeatMs: 15_000,
  recheckMs: 500,
  leaveMs: 5_000,
}
