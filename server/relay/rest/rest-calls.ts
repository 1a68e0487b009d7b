import { Fault } from '../../platform/fault.ts'
import type { LimitDecision } from '../../limits/limits.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { createByteBudget } from '../../platform/http-client/buffered-response.ts'
import { readRawBody } from '../../platform/http/request-body.ts'
import { limitErrorOf, type NotAdmitted } from '../errors.ts'
import type { AttemptRecord } from '../forward/attempt-class.ts'
import { statusOf, unansweredError } from '../forward/forward.ts'
import type { Routes } from '../forward/routes.ts'
import type { CallTerms } from '../methods/call-terms.ts'
import type { AuthenticatedRequest, RestCalls } from '../authenticated-request.ts'
import { classOfRefused, classOfUnanswered } from '../rpc-call.ts'
import { createEventStreams, type EventStreamsOptions } from './event-streams.ts'
import { offeredPattern } from './offered-pattern.ts'
import { createRestAnswers, type OfferedCall } from './rest-answers.ts'
import { damaged, type RestError, tooLarge, unknownCoding } from './rest-errors.ts'
import { forwardRest, type RestOutcome, type RestRequest } from './rest-forward.ts'
import { createRestReplies, nothing, type RestRepliesOptions } from './rest-replies.ts'

export interface RestCallsOptions extends RestRepliesOptions, EventStreamsOptions {
  readonly routes: Routes
  readonly egress: Pick<StreamingEgress, 'fetch'>
  /** The configured address of the installation; null where nobody has configured one. */
  readonly publicAddress: PublicAddress | null
}

/**
 * Relays REST calls with a key that is valid for the endpoint. Each counts as one call of the pattern that it matches:
 * that is what is priced, metered and logged, and never the path or the query.
 */
export function createRestCalls(options: RestCallsOptions): { relay: RestCalls; drain: () => void } {
  const { routes, limits, meter, egress, clock, settings } = options
  const budget = createByteBudget(settings.allAnswerBytes)
  const replies = createRestReplies(options)
  const streams = createEventStreams(options)
  const answers = createRestAnswers({ ...options, replies, streams })

  function refusedByLimit(call: OfferedCall, limitDecision: NotAdmitted): Response {
    const { pattern } = call.sent
    const calls = [{ method: pattern, credits: call.ofPattern.credits }]
    if (limitDecision.kind !== 'unavailable') meter.refuse(call.key, calls, limitDecision.limit)
    const { status, error, outcome } = limitErrorOf(limitDecision, 1)
    const ended = { ...nothing, class: classOfRefused({ outcome }, []), limitDecision }
    return replies.refuse(call, outcome, { status, error }, ended, pattern)
  }

  async function relay(call: OfferedCall, limitDecision: LimitDecision): Promise<Response> {
    if (limitDecision.kind !== 'admitted') return refusedByLimit(call, limitDecision)
    const { key, sent, route, ofPattern } = call
    const { credits, keptMs, terms } = ofPattern
    const count = meter.admit(key, [{ method: sent.pattern, credits }], sent.body?.byteLength ?? 0)
    const attempts: AttemptRecord[] = []
    const admitted = { call, count, limitDecision, attempts }
    const kept = route.restResults?.find({ ...sent, keptMs }) ?? null
    if (kept !== null) return await answers.answeredFromCache(admitted, kept)
    call.facts.allowSeconds(terms.totalMs / 1_000 + 5)
    const outcome = await forwardRest(sent, route, { fetch: egress.fetch, budget, attemptLog: attempts })
    if (outcome.kind === 'stream') return answers.streamed(admitted, outcome)
    if (outcome.kind === 'failed')
      return answers.failed(admitted, unanswered(outcome), classOfUnanswered(outcome.failure))
    route.restResults?.keep({ ...sent, keptMs }, outcome.answer)
    return await answers.answered(admitted, outcome.answer)
  }

  return {
    drain: streams.drain,
    async relay(request) {
      const startedAt = clock.monotonic()
      const { endpoint, key } = request
      const offered = offeredPattern(request)
      if (typeof offered !== 'string')
        return replies.refuse(request, 'unreadable', offered, { ...nothing, class: offered.class })
      const route = routes.of(endpoint)
      const ofPattern = route.factsOf(offered)
      const { method } = request.request
      const isRead = method === 'GET' || method === 'HEAD'
      const { terms, credits: cost } = ofPattern
      const body = isRead ? null : await readBody(request.request, terms)
      if (body !== null && 'status' in body) return replies.refuse(request, 'unreadable', body)
      const sent = requestOf(request, {
        pattern: offered,
        body,
        terms,
        deadlineAt: startedAt + terms.totalMs,
      })
      const call = { ...request, sent, ofPattern, route, startedAt }
      const { id: keyId, rate, credits, further } = key
      return await relay(call, await limits.admit({ keyId, rate, credits, further, calls: 1, cost }))
    },
  }
}

/** Nodes of most chains do not take compressed bodies: what is sent on is plain. */
async function readBody(request: Request, terms: CallTerms): Promise<Uint8Array<ArrayBuffer> | RestError> {
  try {
    return new Uint8Array((await readRawBody(request, terms.bodyBytes)).content)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code === 'payload_too_large') return tooLarge(terms)
    if (error.code === 'unsupported_media_type') return unknownCoding
    if (error.code === 'bad_request') return damaged
    throw error
  }
}

const requestOf = (
  { request, path }: AuthenticatedRequest & { readonly path: string },
  rest: Pick<RestRequest, 'pattern' | 'body' | 'terms' | 'deadlineAt'>,
): RestRequest => {
  const mark = request.url.indexOf('?')
  const query = mark < 0 ? '' : request.url.slice(mark + 1)
  // Many nodes do not answer HEAD, and others not as GET: the server leaves the body out of what GET is answered with.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return { method, path, query, headers: request.headers, ...rest }
}

function unanswered({ failure, waitMs }: Extract<RestOutcome, { kind: 'failed' }>): RestError {
  const status = statusOf(failure)
  const headers = status === 503 ? { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) } : {}
  return { status, error: unansweredError(failure, waitMs), headers }
}
