import type { CallTerms } from '../methods/call-terms.ts'
import type { NeededBlock } from '../tip/endpoint-tip.ts'
import type { AttemptRecord, JudgedCall } from './attempt-class.ts'

/** A connection that waits for an upstream request. The server closes it after ten seconds unless that is extended. */
export interface Waiter {
  allowSeconds(seconds: number): void
}

/** The part of an upstream request that all its attempts have in common. */
export interface RequestPlan {
  /** The calls in their order. */
  readonly calls: readonly JudgedCall[]
  /** The upstreams that are not to be called, as bits: they were, before, for the same calls. */
  readonly tried: number
  /** Receives the attempts in the order in which they end; null when nobody wants to know. */
  readonly attemptLog: AttemptRecord[] | null
  /** Returns the request body, with ids as in `SentCalls`. */
  bodyWith(id: string): string
  /** The calls of a batch; null for a single call. */
  readonly count: number | null
  readonly isRead: boolean
  /** The id of the key whose calls stay with one upstream; null when any upstream will do. */
  readonly stickyFor: string | null
  /** Whether they may go to another one where that fails: it knows less, but not nothing. */
  readonly mayMove: boolean
  /** The block that the node must have; null when any node will do. */
  readonly needs: NeededBlock | null
  /** Requests with the same one share an upstream request; null when this one must be sent by itself. */
  readonly coalescingKey: JudgedCall | null
  readonly terms: CallTerms
  /** In ms of the monotonic clock. */
  readonly deadlineAt: number
}
