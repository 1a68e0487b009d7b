import { idInBatch } from '../../platform/json-rpc-ids.ts'
import type { CallTerms } from '../methods/call-terms.ts'
import { type RpcCall, termsOf } from '../rpc-call.ts'
import type { NeededBlock } from '../tip/endpoint-tip.ts'
import type { AttemptRecord, JudgedCall, SharedCall, UpstreamFailure } from './attempt-class.ts'

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
  readonly coalescingKey: SharedCall | null
  readonly terms: CallTerms
  /** In ms of the monotonic clock. */
  readonly deadlineAt: number
}

/** A request for which an upstream is chosen. `isWaiting`: another one may still answer. */
export interface ChoiceRequest {
  readonly plan: ChoicePlan
  readonly isWaiting?: boolean
}

/** What is chosen besides the index of an upstream. */
export const noneLeft = -1
const onlyLimitedLeft = -2
const onlySpentLeft = -3
export const onlyShorterLeft = -4

/** Returns why upstreams that were not called yet are left out. Both are bits; without any, budgets are spent. */
export function whyExcluded(limited: number, takingLess: number): number {
  if (takingLess !== 0) return onlyShorterLeft
  return limited === 0 ? onlySpentLeft : onlyLimitedLeft
}

/** Says why no upstream was chosen. */
export function whyNone(chosen: number): UpstreamFailure {
  if (chosen === onlyLimitedLeft) return 'limited'
  if (chosen === onlyShorterLeft) return 'batch-refused'
  return chosen === onlySpentLeft ? 'spent' : 'connect'
}

/** The request that the calls belong to. */
export interface ForwardContext {
  readonly keyId: string
  /** When the last answer must be there, in ms of the monotonic clock. */
  readonly deadlineAt: number
  readonly waiter: Waiter | null
  /** Receives the attempts that are made for the calls; null when nobody wants to know. */
  readonly attemptLog: AttemptRecord[] | null
}

/** A batch is as careful as the most delicate of its calls. `tried`: upstreams that were called before, as bits. */
export function planOf(calls: readonly RpcCall[], context: ForwardContext, tried: number): RequestPlan {
  const { keyId, deadlineAt, attemptLog } = context
  const [first] = calls
  const terms = termsOf(calls)
  let isRead = true
  let stickyFor: string | null = null
  let mayMove = true
  let needs: NeededBlock | null = null
  for (const { facts, served } of calls) {
    if (facts.kind !== 'read') isRead = false
    if (facts.kind === 'filter') mayMove = false
    if (facts.kind === 'filter' || served?.prepared.isSticky === true) stickyFor = keyId
    if (served !== null) needs = laterBlock(needs, served.prepared.needs)
  }
  const single = calls.length === 1 ? first : undefined
  return {
    calls,
    count: single === undefined ? calls.length : null,
    bodyWith: single === undefined ? (prefix) => batchText(calls, prefix) : (id) => single.requestAs(id),
    coalescingKey: single !== undefined && isRead && tried === 0 ? sharedCallOf(single, stickyFor) : null,
    isRead,
    stickyFor,
    mayMove,
    needs,
    terms,
    deadlineAt,
    tried,
    attemptLog,
  }
}

const sharedCallOf = (call: RpcCall, stickyFor: string | null): SharedCall =>
  call.served === null
    ? call
    : { method: call.method, params: call.sentParams, height: call.served.prepared.needs?.height, stickyFor }

/** Returns what a node needs that is to answer both calls. */
function laterBlock(one: NeededBlock | null, other: NeededBlock | null): NeededBlock | null {
  if (one === null || other === null) return one ?? other
  const states = [one.stateAt, other.stateAt].filter((height) => height !== undefined)
  return {
    height: Math.max(one.height, other.height),
    isStrict: one.isStrict || other.isStrict,
    ...((one.isSilent ?? other.isSilent) && { isSilent: true }),
    ...(states.length > 0 && { stateAt: Math.min(...states) }),
  }
}

function batchText(calls: readonly RpcCall[], prefix: string): string {
  const texts: string[] = []
  for (const call of calls) texts.push(call.requestAs(idInBatch(prefix, texts.length)))
  return `[${texts.join(',')}]`
}

/** What the choice of an upstream depends on. */
export type ChoicePlan = Pick<RequestPlan, 'calls' | 'isRead' | 'stickyFor' | 'mayMove' | 'needs' | 'tried'>
export type PlannedCalls = Pick<RequestPlan, 'calls'>

/** Adds an attempt that has ended to the log of the call that it was made for, and to those of `waiting` calls. */
export function logEnd(
  attempt: AttemptRecord,
  log: AttemptRecord[] | null,
  waiting: readonly AttemptRecord[][] | null,
): void {
  log?.push(attempt)
  if (waiting === null) return
  const shared = { ...attempt, isShared: true } as const
  for (const each of waiting) each.push(shared)
}
