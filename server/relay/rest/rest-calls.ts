import type { RequestClass } from '../../../shared/request-log.ts'
import type { LimitDecision, Limits } from '../../limits/limits.ts'
import { Fault } from '../../platform/fault.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import { createByteBudget } from '../../platform/http-client/buffered-response.ts'
import { readBytes } from '../../platform/http/request-body.ts'
import type { Clock } from '../../platform/clock.ts'
import { limitErrorOf } from '../errors.ts'
import type { AttemptRecord } from '../forward/attempt-class.ts'
import { statusOf, unansweredError } from '../forward/forward.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import type { Routes } from '../forward/routes.ts'
import type { CallTerms } from '../methods/call-terms.ts'
import { compressAnswer } from '../compressed-answer.ts'
import { addEncodingHeaders, type LimitHeaders, responseHeaders } from '../http-response.ts'
import type { AuthenticatedRequest, RestCalls } from '../authenticated-request.ts'
import type { RelayMeter, RelayRequestLog } from '../ports.ts'
import type { RelayMetrics, RequestOutcome } from '../relay-metrics.ts'
import { classOfRefused, classOfUnanswered } from '../rpc-call.ts'
import type { RelaySettings } from '../settings.ts'
import { withoutSecrets } from '../upstreams/secrets.ts'
import { harmlessAnswer, restHeadersToCaller } from './passed-headers.ts'
import { offeredPattern } from './offered-pattern.ts'
import { compressed, type RestError, streamRefused, tooLarge } from './rest-errors.ts'
import { forwardRest, type RestAnswer, type RestOutcome } from './rest-forward.ts'

export interface RestCallsOptions {
  readonly routes: Routes
  readonly limits: Pick<Limits, 'admit'>
  readonly limitHeaders: LimitHeaders
  readonly meter: RelayMeter
  readonly requestLog: RelayRequestLog
  readonly relayMetrics: RelayMetrics
  readonly egress: Pick<StreamingEgress, 'fetch'>
  readonly clock: Clock
  readonly settings: RelaySettings
}

/** A REST call that the endpoint offers to the key. */
interface OfferedCall extends AuthenticatedRequest {
  readonly pattern: string
  readonly path: string
  readonly credits: number
  readonly terms: CallTerms
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly startedAt: number
}

/** What became of a call, for its response and the request log. */
interface Ended {
  readonly class: RequestClass
  readonly credits: number
  readonly limitDecision: LimitDecision | null
  readonly attempts: readonly AttemptRecord[]
}

const nothing: Ended = { class: 'invalid', credits: 0, limitDecision: null, attempts: [] }

/**
 * Relays REST calls with a key that is valid for the endpoint. Each counts as one call of the pattern that it matches:
 * that is what is priced, metered and logged, and never the path or the query.
 */
export function createRestCalls(options: RestCallsOptions): RestCalls {
  const { routes, limits, meter, requestLog, relayMetrics, egress, clock, settings } = options
  const budget = createByteBudget(settings.allAnswerBytes)

  function respond(
    call: AuthenticatedRequest,
    ended: Ended,
    status: number,
    body: BodyInit | null,
    own: Readonly<Record<string, string>>,
  ) {
    const { facts, cors, key } = call
    const headers = new Headers({ ...responseHeaders(facts, cors), ...own, ...harmlessAnswer })
    headers.set('x-rpc-credits', String(ended.credits))
    const policy = options.limitHeaders.policyOf(key)
    if (policy !== null) headers.set('ratelimit-policy', policy)
    if (ended.limitDecision !== null) {
      const state = options.limitHeaders.stateOf(ended.limitDecision)
      for (const [name, value] of Object.entries(state)) headers.set(name, value)
    }
    return new Response(body, { status, headers })
  }

  function log(call: AuthenticatedRequest, ended: Ended, status: number, sizes: Sizes): void {
    requestLog.add({
      key: call.key,
      method: sizes.pattern,
      calls: 1,
      class: ended.class,
      status,
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
    ended: Ended = nothing,
    pattern: string | null = null,
  ): Response {
    relayMetrics.countRequest(outcome)
    const text = JSON.stringify({ error: { code: error.reason ?? 'upstream_error', message: error.message } })
    const sizes = { pattern, startedAt: clock.monotonic(), bytesIn: 0, bytesOut: text.length }
    log(call, ended, status, sizes)
    return respond(call, ended, status, text, { ...headers, 'content-type': 'application/json' })
  }

  async function relay(call: OfferedCall, limitDecision: LimitDecision): Promise<Response> {
    const { key, endpoint, pattern, credits, body, startedAt } = call
    const calls = [{ method: pattern, credits }]
    if (limitDecision.kind !== 'admitted') {
      if (limitDecision.kind !== 'unavailable') meter.refuse(key, calls, limitDecision.limit)
      const { status, error, outcome } = limitErrorOf(limitDecision, 1)
      const refusedFor = classOfRefused({ outcome }, [])
      return refuse(
        call,
        outcome,
        { status, error },
        { ...nothing, class: refusedFor, limitDecision },
        pattern,
      )
    }
    const bytesIn = body?.byteLength ?? 0
    const count = meter.admit(key, calls, bytesIn)
    call.facts.allowSeconds(call.terms.totalMs / 1_000 + 5)
    const route = routes.of(endpoint)
    const attempts: AttemptRecord[] = []
    const outcome = await forwardRest(requestOf(call), route, {
      fetch: egress.fetch,
      budget,
      attemptLog: attempts,
    })
    const tookMs = clock.monotonic() - startedAt
    if (outcome.kind !== 'answer') {
      limitDecision.giveBack(credits)
      count.settle(['unanswered'], { bytesOut: 0, tookMs, creditsBack: [credits] })
      const failed = { class: classOf(outcome), credits: 0, limitDecision, attempts }
      return refuse(call, 'unanswered', unanswered(outcome, route), failed, pattern)
    }
    const { answer } = outcome
    const bytes = cleaned(answer)
    const isError = answer.status >= 400
    count.settle([isError ? 'error' : 'ok'], { bytesOut: bytes.byteLength, tookMs, creditsBack: [0] })
    relayMetrics.countRequest('answered')
    const ended = { class: isError ? 'error' : 'answer', credits, limitDecision, attempts } as const
    log(call, ended, answer.status, { pattern, startedAt, bytesIn, bytesOut: bytes.byteLength })
    const headers = restHeadersToCaller(answer.headers)
    const encoded = await encodedOf(bytes, headers, call)
    const sent = isBodiless(answer) ? null : (encoded?.bytes ?? bytes)
    const response = respond(call, ended, answer.status, sent, headers)
    addEncodingHeaders(response.headers, bytes.length, encoded)
    return response
  }

  return async (request) => {
    const startedAt = clock.monotonic()
    const { endpoint, key, path } = request
    const offered = offeredPattern(request)
    if (typeof offered !== 'string')
      return refuse(request, 'unreadable', offered, { ...nothing, class: offered.class })
    const { credits, terms } = routes.of(endpoint).factsOf(offered)
    const { method, headers } = request.request
    const hasNoBody = method === 'GET' || method === 'HEAD'
    if (headers.has('content-encoding')) return refuse(request, 'unreadable', compressed)
    const body = hasNoBody ? null : await readBody(request.request, terms.bodyBytes)
    if (body === 'too-large') return refuse(request, 'unreadable', tooLarge(terms))
    const call = { ...request, path, pattern: offered, credits, terms, body, startedAt }
    const { id: keyId, rate, credits: creditsLimit } = key
    return await relay(
      call,
      await limits.admit({ keyId, rate, credits: creditsLimit, calls: 1, cost: credits }),
    )
  }
}

interface Sizes {
  readonly pattern: string | null
  readonly startedAt: number
  readonly bytesIn: number
  readonly bytesOut: number
}

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | 'too-large'> {
  try {
    return new Uint8Array(await readBytes(request, maxBytes))
  } catch (error) {
    if (error instanceof Fault && error.code === 'payload_too_large') return 'too-large'
    throw error
  }
}

const requestOf = ({ request, pattern, path, body, terms, startedAt }: OfferedCall) => {
  const mark = request.url.indexOf('?')
  return {
    method: request.method,
    pattern,
    path,
    query: mark < 0 ? '' : request.url.slice(mark + 1),
    headers: request.headers,
    body,
    terms,
    deadlineAt: startedAt + terms.totalMs,
  }
}

type Unanswered = Exclude<RestOutcome, { kind: 'answer' }>

function unanswered(outcome: Unanswered, route: EndpointRoute): RestError {
  if (outcome.kind === 'stream') return streamRefused
  const status = statusOf(outcome.failure)
  const waitMs = outcome.failure === 'limited' ? route.limitedForMs : 0
  const headers = status === 503 ? { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) } : {}
  return { status, error: unansweredError(outcome.failure, route), headers }
}

const classOf = (outcome: Unanswered): RequestClass =>
  outcome.kind === 'stream' ? 'method-refused' : classOfUnanswered(outcome.failure)

const isBodiless = ({ status }: RestAnswer): boolean => status === 204 || status === 205 || status === 304

/** Compresses text. What is none is mostly hashes and signatures, of which nothing is left out. */
const encodedOf = (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  { request }: OfferedCall,
) =>
  /^text\/|[/+](?:json|xml)\b/.test(headers['content-type'] ?? '')
    ? compressAnswer(bytes, request.headers.get('accept-encoding'))
    : null

/** Errors may quote the address that the node was called at. */
function cleaned({ status, body, from }: RestAnswer): Uint8Array<ArrayBuffer> {
  if (status < 400) return body
  const text = Buffer.from(body).toString()
  const clean = withoutSecrets(text, from.secrets)
  return clean === text ? body : new TextEncoder().encode(clean)
}
