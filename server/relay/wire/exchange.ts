import type { HttpAnswer } from './answer-parser.ts'

/** Why no answer came back from an upstream. */
export type SendFailure =
  | 'refused-address' // its address may not be reached, or its name cannot be resolved
  | 'connect' // no connection: nothing was sent
  | 'busy' // too many calls are on their way to it: nothing was sent
  | 'closed' // the connection ended before the answer did
  | 'timeout'
  | 'malformed' // no HTTP/1.x, or not all of an answer
  | 'too-large'
  | 'stopped' // this process is about to end

/** Failures after which nobody can have seen the call. */
export const isUnsent = (failure: string): boolean =>
  failure === 'refused-address' || failure === 'connect' || failure === 'busy'

/** One sending of a request body to one upstream, and who wants to know what becomes of it. */
export interface Exchange {
  readonly body: string
  /** What is not known to be a read must not be sent twice: it gets a connection that nobody can have closed. */
  readonly isRead: boolean
  /** By the monotonic clock, ms. */
  readonly startedAt: number
  /** By the same clock: when it ends without an answer, whatever arrives. */
  readonly deadlineAt: number
  /** By the same clock: when `slow` is called; infinity: never. */
  readonly slowAt: number
  answered(answer: HttpAnswer): void
  failed(failure: SendFailure): void
  /** Returns when it is to be called again. */
  slow(now: number): number
}

/** A way to send requests to one upstream. */
export interface Sender {
  send(exchange: Exchange): void
  /** Looks after deadlines; called many times a second. */
  sweep(now: number): void
  /** Exchanges that are under way or wait. */
  readonly inFlight: number
  close(): void
}
