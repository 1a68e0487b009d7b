import type { FinishedRequest, RequestClass } from '../../../shared/request-log.ts'
import type { LimitDecision } from '../../limits/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AuthenticatedRequest } from '../authenticated-request.ts'
import type { AttemptRecord } from '../forward/attempt-class.ts'
import { type LimitHeaders, responseHeaders } from '../http-response.ts'
import type { RelayRequestLog } from '../ports.ts'
import type { RelayMetrics, RequestOutcome } from '../relay-metrics.ts'
import { harmlessAnswer } from './passed-headers.ts'
import type { RestError } from './rest-errors.ts'

export interface RestRepliesOptions {
  readonly limitHeaders: LimitHeaders
  readonly requestLog: RelayRequestLog
  readonly relayMetrics: RelayMetrics
  readonly clock: Clock
}

/** What became of a call, for its response and the request log. */
export interface EndedCall {
  readonly class: RequestClass
  readonly credits: number
  readonly limitDecision: LimitDecision | null
  readonly attempts: readonly AttemptRecord[]
}

/** The sizes of a call, and when it began. */
export interface Sizes {
  readonly pattern: string | null
  readonly startedAt: number
  readonly bytesIn: number
  readonly bytesOut: number
}

export const nothing: EndedCall = { class: 'invalid', credits: 0, limitDecision: null, attempts: [] }

export type RestReplies = ReturnType<typeof createRestReplies>

/** The path and the query are to a pattern what parameters are to a method: kept only while the key is debugged. */
function loggedCall(
  { key, request, path }: AuthenticatedRequest,
  method: string | null,
): Pick<FinishedRequest, 'method' | 'entries'> {
  if (key.debugEndsAt === null || method === null) return { method, entries: [] }
  const mark = request.url.indexOf('?')
  const query = mark < 0 ? '' : request.url.slice(mark)
  return { method, entries: [{ method, params: `${path ?? ''}${query}` }] }
}

/** Makes the responses to REST calls, and names them for the request log: never by path or query. */
export function createRestReplies({ limitHeaders, requestLog, relayMetrics, clock }: RestRepliesOptions) {
  function respond(
    call: AuthenticatedRequest,
    ended: EndedCall,
    status: number,
    body: BodyInit | null,
    own: Readonly<Record<string, string>>,
  ) {
    const { facts, cors, key } = call
    const headers = new Headers({ ...responseHeaders(facts, cors), ...own, ...harmlessAnswer })
    headers.set('x-rpc-credits', String(ended.credits))
    const policy = limitHeaders.policyOf(key)
    if (policy !== null) headers.set('ratelimit-policy', policy)
    if (ended.limitDecision !== null) {
      const state = limitHeaders.stateOf(ended.limitDecision)
      for (const [name, value] of Object.entries(state)) headers.set(name, value)
    }
    return new Response(body, { status, headers })
  }

  function log(call: AuthenticatedRequest, ended: EndedCall, status: number, sizes: Sizes): void {
    requestLog.add({
      key: call.key,
      ...loggedCall(call, sizes.pattern),
      calls: 1,
      class: ended.class,
      status,
      startedAt: sizes.startedAt,
      tookMs: clock.monotonic() - sizes.startedAt,
      attempts: [...ended.attempts],
      bytesIn: sizes.bytesIn,
      bytesOut: sizes.bytesOut,
      credits: ended.credits,
      requestId: call.facts.requestId,
    })
  }

  function refuse(
    call: AuthenticatedRequest,
    outcome: RequestOutcome,
    { status, error, headers = {} }: RestError,
    ended: EndedCall = nothing,
    pattern: string | null = null,
  ): Response {
    relayMetrics.countRequest(outcome)
    const text = JSON.stringify({ error: { code: error.reason ?? 'upstream_error', message: error.message } })
    const sizes = { pattern, startedAt: clock.monotonic(), bytesIn: 0, bytesOut: text.length }
    log(call, ended, status, sizes)
    return respond(call, ended, status, text, { ...headers, 'content-type': 'application/json' })
  }

  return { respond, log, refuse }
}
