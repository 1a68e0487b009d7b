import { callDefaults } from '../../shared/call-settings.ts'

/** The bounds and timeouts of the relay. Times are in ms. An endpoint may have its own of those in `callDefaults`. */
export interface RelaySettings {
  /** The longest request body. */
  readonly bodyBytes: number
  /** The most entries of a batch. */
  readonly batchCalls: number
  /** How deep the JSON of a request may nest. */
  readonly depth: number
  /** The time from the request to the last answer, all attempts included. */
  readonly totalMs: number
  readonly connectMs: number
  readonly firstByteMs: number
  /** The longest pause between two parts of a response. */
  readonly idleMs: number
  /** How long an idle connection is kept open. */
  readonly unusedMs: number
  /** How often the name of an upstream is looked up while connections to it are open: those to other addresses end. */
  readonly followMs: number
  /** The longest response of an upstream. */
  readonly answerBytes: number
  /** The memory for all responses that are being received. */
  readonly allAnswerBytes: number
  /** The most upstreams that are called for one read, one after the other or by hedging. */
  readonly attempts: number
  /** The most upstreams that get a signed transaction at once. */
  readonly transactionNodes: number
  /** A read is sent to a second upstream after this time, and not before the first one's 95th percentile; null: never. */
  readonly hedgeAfterMs: number | null
  /** The most connections to one upstream. */
  readonly connections: number
  /** The most requests that wait for a connection to one upstream. */
  readonly waiting: number
  /** The most WebSockets of callers. */
  readonly sockets: number
  readonly socketsPerKey: number
  /** How many messages of one WebSocket are answered at a time; further ones are queued. */
  readonly messagesInFlight: number
  /** How long these may be together; one alone may be longer. */
  readonly charsInFlight: number
  readonly messagesQueued: number
  readonly queuedChars: number
  /** The most subscriptions of one WebSocket. */
  readonly subscriptions: number
  /** Longer messages of an upstream end its WebSocket. */
  readonly notificationChars: number
  /** The most event streams of callers. */
  readonly eventStreams: number
  readonly eventStreamsPerKey: number
  readonly eventStreamsPerAccount: number
  /** An event stream in which nothing was said for so long gets a comment. */
  readonly streamQuietMs: number
  /** One that a node says nothing in, or whose caller takes nothing, for so long is ended. */
  readonly streamIdleMs: number
  /** How often an upstream's WebSocket is pinged; it is closed when it is silent for two of these. */
  readonly heartbeatMs: number
  /** How long other nodes are sought for the subscriptions of one that is gone. */
  readonly resubscribeMs: number
  /** How soon a WebSocket is closed when its key may not be used any more. */
  readonly recheckMs: number
  /** How long calls may still be answered when the server shuts down. */
  readonly drainMs: number
}

export const relaySettings: RelaySettings = {
  ...callDefaults,
  batchCalls: 1_000,
  depth: 64,
  connectMs: 2_000,
  idleMs: 5_000,
  unusedMs: 30_000,
  followMs: 30_000,
  allAnswerBytes: 268_435_456,
  transactionNodes: 3,
  hedgeAfterMs: 100,
  connections: 256,
  waiting: 1_024,
  sockets: 10_000,
  socketsPerKey: 100,
  messagesInFlight: 64,
  charsInFlight: 16_777_216,
  messagesQueued: 4_096,
  queuedChars: 16_777_216,
  subscriptions: 1_000,
  notificationChars: 4_194_304,
  eventStreams: 2_000,
  eventStreamsPerKey: 50,
  eventStreamsPerAccount: 200,
  streamQuietMs: 15_000,
  streamIdleMs: 300_000,
  heartbeatMs: 15_000,
  resubscribeMs: 20_000,
  recheckMs: 500,
  drainMs: 5_000,
}
