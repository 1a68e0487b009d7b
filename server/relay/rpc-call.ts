import type { RequestClass } from '../../shared/request-log.ts'
import type { UpstreamFailure } from './forward/attempt-class.ts'
import type { RequestOutcome } from './relay-metrics.ts'
import {
  errorAnswer,
  errorCodes,
  type MethodRefusal,
  narrowedKey,
  refusedMethod,
  type RpcError,
  rpcErrorText,
} from './errors.ts'
import type { KeyRefusal } from './methods/key-restrictions.ts'
import { bothTerms, type CallTerms } from './methods/call-terms.ts'
import type { MethodFacts } from './methods/method-facts.ts'
import type { MeteredCall, MeteredOutcome } from './ports.ts'
import type { InvalidEntry, ParsedCall } from './request/parsed-call.ts'
import type { BlockUse, PreparedCall } from './tip/prepare-call.ts'

/** A call about blocks, at an endpoint whose newest block is known. */
export interface ServedCall {
  readonly use: BlockUse
  prepared: PreparedCall
  /** The newest block of the tag that was asked for, as the node says; null before its answer. */
  newest: number | null
  /** What the chain looked like when the call was prepared (`EndpointTip.view`). */
  view: number | null
  /** Whether the node that answered lacks what is asked for, and no other one has it. */
  isMissing: boolean
}

/** A JSON-RPC call on its way through the relay, with its answer once there is one. */
export class RpcCall implements MeteredCall {
  /** The JSON text of the id; null for a notification. */
  readonly id: string | null
  readonly method: string
  /** The JSON text of the parameters; empty without any. */
  readonly params: string
  readonly isLegacy: boolean
  readonly facts: MethodFacts
  outcome: MeteredOutcome = 'unanswered'
  /** Whether the result comes from the cache. */
  isCached = false
  /** The JSON text of the whole response object. */
  answer = ''
  /** How the call is sent so that its answer fits what was told before; null: as it is. */
  served: ServedCall | null = null

  constructor({ id, method, params, isLegacy }: ParsedCall, facts: MethodFacts) {
    this.id = id
    this.method = method
    this.params = params
    this.isLegacy = isLegacy
    this.facts = facts
  }

  get credits(): number {
    return this.facts.credits
  }

  /** The credits that are returned to the key: all of them when no upstream answered, some for a result of the cache. */
  get creditsBack(): number {
    const { credits, cachedPrice } = this.facts
    if (this.outcome === 'unanswered') return credits
    return this.isCached && cachedPrice !== null ? Math.max(0, credits - cachedPrice) : 0
  }

  /** The JSON text of the parameters that are sent upstream. */
  get sentParams(): string {
    return this.served === null ? this.params : this.served.prepared.params
  }

  /** Returns the JSON text that is sent upstream, with an id of ours. */
  requestAs(id: string): string {
    const sent = this.sentParams
    const params = sent === '' ? '' : `,"params":${sent}`
    return `{"jsonrpc":"2.0","id":${id},"method":"${this.method}"${params}}`
  }

  /** Answers the call with an upstream's result, a JSON text. */
  setResult(result: string): void {
    this.outcome = 'ok'
    const id = this.id ?? 'null'
    this.answer = this.isLegacy
      ? `{"result":${result},"error":null,"id":${id}}`
      : `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  }

  /** Answers the call with an upstream's error, a JSON text. */
  setError(error: string): void {
    this.outcome = 'error'
    this.answer = errorAnswer(this.id ?? 'null', error, this.isLegacy)
  }

  /** Answers the call with the whole response object of a result that it had before. */
  restore(answer: string): void {
    this.outcome = 'ok'
    this.answer = answer
  }

  /** Takes the answer back, because the call is sent once more. */
  takeBack(): void {
    this.outcome = 'unanswered'
    this.answer = ''
  }

  /** Answers the call with an error of the relay, a JSON text; the call stays `unanswered` and costs nothing. */
  reject(error: string): void {
    this.answer = errorAnswer(this.id ?? 'null', error, this.isLegacy)
  }
}

/** The credits that the calls cost together. */
export function creditsOfCalls(calls: readonly RpcCall[]): number {
  let cost = 0
  for (const call of calls) cost += call.facts.credits
  return cost
}

/** The credits that are returned of that. */
export function creditsBackOf(calls: readonly RpcCall[]): number {
  let back = 0
  for (const call of calls) back += call.creditsBack
  return back
}

/** Returns the terms of a request with these calls, of which there is at least one. */
export function termsOf(calls: readonly RpcCall[]): CallTerms {
  let terms = calls[0]?.facts.terms
  if (terms === undefined) throw new RangeError('a request has at least one call')
  // Nearly always all have the same object.
  for (const { facts } of calls) if (facts.terms !== terms) terms = bothTerms(terms, facts.terms)
  return terms
}

/** A batch entry (or a whole request) that is answered without being relayed. It costs nothing. */
export interface RejectedEntry {
  readonly id: string | null
  /** Null when the entry is no call. */
  readonly method: string | null
  readonly answer: string
  /** True when the entry is no JSON-RPC call at all; false when it calls a method that is not offered. */
  readonly isInvalid: boolean
  readonly isLegacy: boolean
  /** Whether the answer is a result, which needs no node. */
  readonly isResult?: boolean
}

export const rejectedInvalid = ({ id, reason, isLegacy }: InvalidEntry): RejectedEntry => ({
  id,
  method: null,
  isInvalid: true,
  isLegacy,
  answer: errorAnswer(id, rpcErrorText({ code: errorCodes.noRequest, message: reason }), isLegacy),
})

const rejectedCall = ({ id, method, isLegacy }: ParsedCall, error: RpcError): RejectedEntry => ({
  id,
  method,
  isInvalid: false,
  isLegacy,
  answer: errorAnswer(id ?? 'null', rpcErrorText(error), isLegacy),
})

export const rejectedMethod = (call: ParsedCall, why: MethodRefusal): RejectedEntry =>
  why === 'key-use' && call.method === 'eth_accounts'
    ? noAccounts(call)
    : rejectedCall(call, refusedMethod(call.method, why))

/** Wallets ask for the accounts of a node when they start. Here it has none that a caller may use, as with most providers. */
const noAccounts = ({ id, method, isLegacy }: ParsedCall): RejectedEntry => ({
  id,
  method,
  isInvalid: false,
  isLegacy,
  isResult: true,
  answer: `{"jsonrpc":"2.0","id":${id},"result":[]}`,
})

/** Returns the outcome of a request of which nothing is relayed. */
export const rejectedOutcome = (entries: readonly (RpcCall | RejectedEntry)[]): RequestOutcome =>
  entries.every((entry) => 'isResult' in entry) ? 'answered' : 'unreadable'

export const rejectedByKey = (call: ParsedCall, why: KeyRefusal): RejectedEntry =>
  rejectedCall(call, narrowedKey(call.method, why))

/** Returns what became of a request that the limits admitted. `failure` says why no call of it was answered. */
export function classOfAnswered(calls: readonly RpcCall[], failure: UpstreamFailure | null): RequestClass {
  if (failure !== null) return classOfUnanswered(failure)
  let found: RequestClass = 'cache'
  for (const { outcome, isCached } of calls) {
    if (outcome === 'unanswered') return 'partial'
    if (outcome === 'error') found = 'error'
    else if (!isCached && found === 'cache') found = 'answer'
  }
  return found
}

export function classOfUnanswered(failure: UpstreamFailure): RequestClass {
  switch (failure) {
    case 'timeout':
      return 'timeout'
    case 'busy':
    case 'stopped':
      return 'busy'
    case 'too-large':
      return 'too-large'
    case 'limited':
    case 'spent':
      return 'upstream-limited'
    default:
      return 'no-answer'
  }
}

/** Returns what became of a request that was answered without being forwarded. */
export function classOfRefused(
  { outcome }: { readonly outcome: RequestOutcome },
  entries: readonly (RpcCall | RejectedEntry)[],
): RequestClass {
  switch (outcome) {
    case 'rate_limited':
      return 'rate-limit'
    case 'credits_exhausted':
      return 'credits-limit'
    case 'answered':
      return 'answer'
    case 'unreadable':
      return entries.some(({ method }) => method !== null) ? 'method-refused' : 'invalid'
    default:
      return 'unavailable'
  }
}
