import type { FinishedRequest } from '../../shared/request-log.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import type { LimitDecision, Limits } from '../limits/limits.ts'
import type { Clock } from '../platform/clock.ts'
import {
  batchTooLarge,
  errorAnswer,
  legacyStatusOf,
  limitErrorOf,
  type NotAdmitted,
  requestBodyTooLarge,
  type RpcError,
  rpcErrorText,
} from './errors.ts'
import { forward, statusOf } from './forward/forward.ts'
import type { AttemptRecord, UpstreamFailure } from './forward/attempt-class.ts'
import type { EndpointRoute } from './forward/endpoint-route.ts'
import type { Routes } from './forward/routes.ts'
import type { Waiter } from './forward/request-plan.ts'
import type { EndedCalls, OpenCount, RelayKey, RelayMeter, RelayRequestLog, SettledOutcome } from './ports.ts'
import type { RequestOutcome } from './relay-metrics.ts'
import { withBlocks } from './logs/log-price.ts'
import type { InvalidEntry, ParsedCall } from './request/parsed-call.ts'
import { type ParsedRequest, parseRequest } from './request/parse.ts'
import { checkCall } from './methods/key-restrictions.ts'
import {
  type RejectedEntry,
  rejectedByKey,
  rejectedInvalid,
  rejectedMethod,
  creditsOfCalls,
  creditsBackOf,
  rejectedOutcome,
  RpcCall,
  termsOf,
  classOfAnswered,
  classOfRefused,
} from './rpc-call.ts'
import type { RelaySettings } from './settings.ts'

/** The answer to a request with calls, over HTTP or in a WebSocket message. */
export interface Reply {
  /** The status of the HTTP response. */
  readonly status: number
  /** The JSON text; null when the request held notifications only. */
  readonly text: string | null
  /** The credits that the request was charged. */
  readonly credits: number
  /** Null when the request was answered without consulting the limits. */
  readonly limitDecision: LimitDecision | null
  readonly outcome: RequestOutcome
  /** Whether all of it came from the cache. */
  readonly isCached: boolean
  /** After how many seconds to try again, where the limit decision says nothing about it. */
  readonly retryAfterSec?: number
}

export interface RelayCallsOptions {
  readonly routes: Routes
  readonly limits: Pick<Limits, 'admit'>
  readonly meter: RelayMeter
  readonly requestLog: RelayRequestLog
  readonly clock: Clock
  readonly settings: RelaySettings
}

/**
 * Relays the calls in one JSON-RPC body, with a key that is valid for the endpoint, for `waiter`. Mistakes of callers and
 * upstreams are in the reply. Returns a promise only to wait for something. Throws Fault `unavailable` when it cannot count.
 */
export type RelayCalls = (
  key: RelayKey,
  endpoint: Endpoint,
  body: string,
  bytesIn: number,
  waiter: RequestWaiter | null,
  forwardCalls?: ForwardCalls,
) => Reply | Promise<Reply>

/** The HTTP request that waits for the reply. */
export interface RequestWaiter extends Waiter {
  readonly requestId: string
}

/** Gets calls answered, in place of `forward`. */
export type ForwardCalls = (...forwarded: Parameters<typeof forward>) => ReturnType<typeof forward>

export function createRelayCalls(options: RelayCallsOptions): RelayCalls {
  const { routes, limits, meter, requestLog, clock, settings } = options
  const legacyBounds = { ...settings, takesLegacy: true }
  /** Counts, forwards and settles calls that are within their limits. */
  function relay(request: OfferedCalls, limitDecision: LimitDecision): Reply | Promise<Reply> {
    const { key, entries, calls, isBatch, cost, bytesIn, startedAt, waiter, forwardCalls } = request
    if (limitDecision.kind !== 'admitted') {
      if (limitDecision.kind !== 'unavailable') meter.refuse(key, calls, limitDecision.limit)
      return logRefused(request, notAdmitted(entries, calls, isBatch, limitDecision))
    }
    const count = meter.admit(key, calls, bytesIn)
    const attemptLog: AttemptRecord[] = []
    const context = { keyId: key.id, deadlineAt: startedAt + termsOf(calls).totalMs, waiter, attemptLog }
    const finish = (failure: UpstreamFailure | null): Reply => {
      const text = joinAnswers(entries, isBatch)
      const back = creditsBackOf(calls)
      if (back > 0) limitDecision.giveBack(back)
      const tookMs = clock.monotonic() - startedAt
      const bytesOut = text === null ? 0 : Buffer.byteLength(text)
      settle(count, calls, { bytesOut, tookMs, attempts: attemptLog })
      const requestClass = classOfAnswered(calls, failure)
      const isCached = requestClass === 'cache'
      const reply = replyOf(failure, { text, credits: cost - back, limitDecision, isCached }, request)
      const ended = { class: requestClass, tookMs, attempts: attemptLog, bytesOut }
      requestLog.add(finishedRequest(request, reply, ended))
      return reply
    }
    const forwarding = forwardCalls(calls, request.route, context)
    return forwarding instanceof Promise ? forwarding.then(finish) : finish(forwarding)
  }

  /** Logs a request that was answered without being forwarded. */
  function logRefused(request: ReceivedRequest, reply: Reply): Reply {
    const bytesOut = reply.text === null ? 0 : Buffer.byteLength(reply.text)
    const tookMs = clock.monotonic() - request.startedAt
    const ended = { class: classOfRefused(reply, request.entries), tookMs, attempts: [], bytesOut }
    requestLog.add(finishedRequest(request, reply, ended))
    return reply
  }

  return (key, endpoint, body, bytesIn, waiter, forwardCalls = forward) => {
    const startedAt = clock.monotonic()
    const isBitcoin = endpoint.family === 'bitcoin'
    const parsed = parseRequest(body, isBitcoin ? legacyBounds : settings)
    if (parsed.kind !== 'calls') {
      return logRefused(
        { key, entries: [], bytesIn, startedAt, waiter },
        unreadable(parsed, settings, isBitcoin),
      )
    }
    const { isBatch } = parsed
    const route = routes.of(endpoint)
    // Loops are used here and from here on: `map` and its like take a tenth of a call's whole time.
    const entries: (RpcCall | RejectedEntry)[] = []
    const calls: RpcCall[] = []
    const isNarrowed = key.allowedMethods.length > 0 || key.allowedContracts.length > 0
    for (const each of parsed.entries) {
      const entry = isNarrowed ? narrowedEntryOf(each, route, key) : entryOf(each, route)
      entries.push(entry)
      if (entry instanceof RpcCall) calls.push(entry)
    }
    if (calls.length === 0)
      return logRefused({ key, entries, bytesIn, startedAt, waiter }, allRejected(entries, isBatch))

    // A longer one may hold methods whose requests must be shorter.
    if (bytesIn > endpoint.bodyBounds.all && bytesIn > termsOf(calls).bodyBytes) {
      const error = requestBodyTooLarge(termsOf(calls).bodyBytes)
      return logRefused({ key, entries: [], bytesIn, startedAt, waiter }, unreadReply(413, error, isBitcoin))
    }
    const cost = creditsOfCalls(calls)
    const request = { key, route, entries, calls, isBatch, cost, bytesIn, startedAt, waiter, forwardCalls }
    const { id: keyId, rate, credits, further } = key
    const limitDecision = limits.admit({ keyId, rate, credits, further, calls: calls.length, cost })
    return limitDecision instanceof Promise
      ? limitDecision.then((decided) => relay(request, decided))
      : relay(request, limitDecision)
  }
}

interface ReceivedRequest {
  readonly key: RelayKey
  readonly entries: readonly (RpcCall | RejectedEntry)[]
  readonly bytesIn: number
  readonly startedAt: number
  readonly waiter: RequestWaiter | null
}

/** The calls of one request that the endpoint offers, before the limits of the key have decided. */
interface OfferedCalls extends ReceivedRequest {
  readonly route: EndpointRoute
  readonly calls: readonly RpcCall[]
  readonly isBatch: boolean
  readonly cost: number
  readonly forwardCalls: ForwardCalls
}

const finishedRequest = (
  { key, entries, bytesIn, startedAt, waiter }: ReceivedRequest,
  { status, credits }: Reply,
  ended: Pick<FinishedRequest, 'class' | 'tookMs' | 'attempts' | 'bytesOut'>,
): FinishedRequest => ({
  key,
  entries: key.debugEndsAt === null ? [] : entries,
  method: entries[0]?.method ?? null,
  calls: entries.length,
  startedAt,
  ...ended,
  status,
  bytesIn,
  credits,
  requestId: waiter === null ? null : waiter.requestId,
})

function replyOf(
  failure: UpstreamFailure | null,
  { text, credits, limitDecision, isCached }: Pick<Reply, 'text' | 'credits' | 'limitDecision' | 'isCached'>,
  { route, entries, calls, isBatch }: OfferedCalls,
): Reply {
  if (failure === null) {
    const status = text === null ? 204 : isBatch ? 200 : statusOfSingle(entries)
    return { status, text, credits, limitDecision, isCached, outcome: 'answered' }
  }
  const status = statusOf(failure)
  const reply = { status, text, credits, limitDecision, isCached, outcome: 'unanswered' } as const
  if (status !== 503) return reply
  const waitMs = failure === 'limited' || failure === 'spent' ? route.waitMs(calls) : 0
  return { ...reply, retryAfterSec: Math.max(1, Math.ceil(waitMs / 1_000)) }
}

function entryOf(entry: ParsedCall | InvalidEntry, route: EndpointRoute): RpcCall | RejectedEntry {
  if (entry.kind === 'invalid') return rejectedInvalid(entry)
  const ofMethod = route.factsOf(entry.method)
  const facts = ofMethod.blocksPrice === 0 ? ofMethod : withBlocks(entry, ofMethod, route.knownHeights)
  return facts.access === 'allowed' ? new RpcCall(entry, facts) : rejectedMethod(entry, facts.access)
}

/** The same with a key that may not make every call. */
function narrowedEntryOf(
  entry: ParsedCall | InvalidEntry,
  route: EndpointRoute,
  key: RelayKey,
): RpcCall | RejectedEntry {
  const offered = entryOf(entry, route)
  if (entry.kind === 'invalid' || !(offered instanceof RpcCall)) return offered
  const verdict = checkCall(key, offered.method, offered.params)
  return verdict.kind === 'allowed'
    ? new RpcCall({ ...entry, params: verdict.params }, offered.facts)
    : rejectedByKey(entry, verdict.kind)
}

function settle(count: OpenCount, calls: readonly RpcCall[], ended: Omit<EndedCalls, 'creditsBack'>): void {
  const outcomes: SettledOutcome[] = []
  const creditsBack: number[] = []
  for (const call of calls) {
    outcomes.push(call.outcome === 'ok' && call.isCached ? 'cached' : call.outcome)
    creditsBack.push(call.creditsBack)
  }
  count.settle(outcomes, { ...ended, creditsBack })
}

function statusOfSingle([entry]: readonly (RpcCall | RejectedEntry)[]): number {
  return entry?.isLegacy === true ? legacyStatusOf(entry.answer) : 200
}

/** Returns the answers of a request in the order of its entries, without notifications; null when none is left. */
function joinAnswers(entries: readonly (RpcCall | RejectedEntry)[], isBatch: boolean): string | null {
  if (!isBatch) return entries[0] === undefined || entries[0].id === null ? null : entries[0].answer
  const answers = entries.filter(({ id }) => id !== null).map(({ answer }) => answer)
  return answers.length === 0 ? null : `[${answers.join(',')}]`
}

function unreadable(
  parsed: Exclude<ParsedRequest, { kind: 'calls' }>,
  { batchCalls }: RelaySettings,
  isLegacy: boolean,
): Reply {
  return parsed.kind === 'refused'
    ? unreadReply(400, { code: parsed.code, message: parsed.reason }, isLegacy)
    : unreadReply(413, batchTooLarge(batchCalls), isLegacy)
}

const unreadReply = (status: number, error: RpcError, isLegacy: boolean): Reply => ({
  status,
  text: errorAnswer('null', rpcErrorText(error), isLegacy),
  credits: 0,
  limitDecision: null,
  isCached: false,
  outcome: 'unreadable',
})

/** Replies to a request in which nothing is a call that the endpoint offers. Only a single invalid call has status 400. */
function allRejected(entries: readonly (RpcCall | RejectedEntry)[], isBatch: boolean): Reply {
  const text = joinAnswers(entries, isBatch)
  const isInvalid = !isBatch && entries.some((entry) => 'isInvalid' in entry && entry.isInvalid)
  const status = isInvalid ? 400 : text === null ? 204 : isBatch ? 200 : statusOfSingle(entries)
  return { status, text, credits: 0, limitDecision: null, isCached: false, outcome: rejectedOutcome(entries) }
}

function notAdmitted(
  entries: readonly (RpcCall | RejectedEntry)[],
  calls: readonly RpcCall[],
  isBatch: boolean,
  limitDecision: NotAdmitted,
): Reply {
  const { status, error, outcome } = limitErrorOf(limitDecision, calls.length)
  const text = rpcErrorText(error)
  for (const call of calls) call.reject(text)
  // Notifications have no answer, but their sender learns that they were not admitted.
  const answers = joinAnswers(entries, isBatch) ?? errorAnswer('null', text)
  return { status, text: answers, credits: 0, limitDecision, isCached: false, outcome }
}
