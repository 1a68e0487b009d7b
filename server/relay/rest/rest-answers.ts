import type { RequestClass } from '../../../shared/request-log.ts'
import type { LimitDecision } from '../../limits/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AuthenticatedRequest } from '../authenticated-request.ts'
import { compressAnswer } from '../../platform/http/compressed-answer.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import type { AttemptRecord } from '../forward/attempt-class.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import { addEncodingHeaders } from '../http-response.ts'
import type { MethodFacts } from '../methods/method-facts.ts'
import type { OpenCount } from '../ports.ts'
import type { RelayMetrics } from '../relay-metrics.ts'
import { endpointAddress } from './endpoint-address.ts'
import type { EventStreams } from './event-streams.ts'
import { restHeadersToCaller } from './passed-headers.ts'
import type { KeptRestAnswer } from './rest-cache.ts'
import type { RestError } from './rest-errors.ts'
import type { RestAnswer, RestOutcome, RestRequest } from './rest-forward.ts'
import type { EndedCall, RestReplies } from './rest-replies.ts'
import { type LookedThrough, tracesOf } from './upstream-traces.ts'

/** A REST call that the endpoint offers to the key. */
export interface OfferedCall extends AuthenticatedRequest {
  readonly path: string
  readonly sent: RestRequest
  readonly ofPattern: MethodFacts
  readonly route: EndpointRoute
  readonly startedAt: number
}

/** A call that was admitted and counted. */
export interface AdmittedCall {
  readonly call: OfferedCall
  readonly count: OpenCount
  readonly limitDecision: Extract<LimitDecision, { kind: 'admitted' }>
  readonly attempts: readonly AttemptRecord[]
}

interface RestAnswersOptions {
  readonly replies: RestReplies
  readonly streams: Pick<EventStreams, 'open'>
  readonly relayMetrics: RelayMetrics
  readonly clock: Clock
  /** The configured address of the installation. */
  readonly publicAddress: PublicAddress | null
}

/** Settles the counts of calls that were admitted, and makes their responses. */
export function createRestAnswers(options: RestAnswersOptions) {
  const { replies, streams, relayMetrics, clock, publicAddress } = options

  /** Nothing of the node shows, and links that it made of its own address lead to this endpoint. */
  function cleaned(call: OfferedCall, node: number, answer: LookedThrough): Uint8Array<ArrayBuffer> {
    const upstream = call.route.endpoint.upstreams[node]
    if (upstream === undefined) throw new TypeError('an answer without an upstream')
    return tracesOf(upstream).removeFrom(answer, () => endpointAddress(call, publicAddress))
  }

  /** Nobody answered: the credits go back. */
  function failed(admitted: AdmittedCall, error: RestError, failedFor: RequestClass): Response {
    const { call, count, limitDecision, attempts } = admitted
    const { credits } = call.ofPattern
    limitDecision.giveBack(credits)
    const tookMs = clock.monotonic() - call.startedAt
    count.settle(['unanswered'], { bytesOut: 0, tookMs, creditsBack: [credits], attempts })
    const ended = { class: failedFor, credits: 0, limitDecision, attempts }
    return replies.refuse(call, 'unanswered', error, ended, call.sent.pattern)
  }

  function answered(admitted: AdmittedCall, answer: RestAnswer): Promise<Response> {
    const { call, count, limitDecision, attempts } = admitted
    const { status, body, from } = answer
    const bytes = cleaned(call, from.index, { status, type: answer.headers.get('content-type'), body })
    const isError = status >= 400
    const tookMs = clock.monotonic() - call.startedAt
    const bytesOut = bytesOutOf(call, bytes)
    count.settle([isError ? 'error' : 'ok'], { bytesOut, tookMs, creditsBack: [0], attempts })
    const { credits } = call.ofPattern
    const ended = { class: isError ? 'error' : 'answer', credits, limitDecision, attempts } as const
    const headers = { ...restHeadersToCaller(answer.headers), 'x-gatehouse-cache': 'miss' }
    return passOn(call, ended, status, bytes, headers)
  }

  /** It is kept as the node gave it, because each caller has an address of their own. */
  function answeredFromCache(
    { call, count, limitDecision }: AdmittedCall,
    { headers, body, node }: KeptRestAnswer,
  ): Promise<Response> {
    const bytes = cleaned(call, node, { status: 200, type: headers['content-type'] ?? null, body })
    const { credits, cachedPrice } = call.ofPattern
    const back = cachedPrice === null ? 0 : Math.max(0, credits - cachedPrice)
    if (back > 0) limitDecision.giveBack(back)
    const tookMs = clock.monotonic() - call.startedAt
    count.settle(['cached'], { bytesOut: bytesOutOf(call, bytes), tookMs, creditsBack: [back] })
    relayMetrics.countCached()
    const ended: EndedCall = { class: 'cache', credits: credits - back, limitDecision, attempts: [] }
    return passOn(call, ended, 200, bytes, { ...headers, 'x-gatehouse-cache': 'hit' })
  }

  async function passOn(
    call: OfferedCall,
    ended: EndedCall,
    status: number,
    bytes: Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    relayMetrics.countRequest('answered')
    replies.log(call, ended, status, sizesOf(call, bytesOutOf(call, bytes)))
    const encoded = await encodedOf(bytes, headers, call)
    const body = isBodiless(status) ? null : (encoded?.bytes ?? bytes)
    const response = replies.respond(call, ended, status, body, headers)
    addEncodingHeaders(response.headers, bytes.length, encoded)
    return response
  }

  function settleOpening({ call, count, attempts }: AdmittedCall): void {
    const tookMs = clock.monotonic() - call.startedAt
    count.settle(['ok'], { bytesOut: 0, tookMs, creditsBack: [0], attempts })
    relayMetrics.countRequest('answered')
  }

  /** Counts the opening as a call, and each event as another one. It is logged when it has ended. */
  function streamed(admitted: AdmittedCall, begun: Extract<RestOutcome, { kind: 'stream' }>): Response {
    const { call, limitDecision, attempts } = admitted
    const { key, value, endpoint, facts, path, sent, request } = call
    const { address, origin } = facts.caller() // Later the connection may be gone.
    const ended = { class: 'answer', credits: call.ofPattern.credits, limitDecision, attempts } as const
    const headers = { ...restHeadersToCaller(begun.response.headers), 'x-accel-buffering': 'no' }
    if (request.method === 'HEAD') {
      begun.response.body?.cancel().catch(() => undefined)
      settleOpening(admitted)
      replies.log(call, ended, 200, sizesOf(call, 0))
      return replies.respond(call, ended, 200, null, headers)
    }
    const source = begun.response.body ?? new ReadableStream()
    const own = endpointAddress(call, publicAddress)
    const traces = tracesOf(begun.from)
    const opened = streams.open({
      key,
      value,
      endpoint: endpoint.name,
      caller: { address, origin },
      method: sent.method,
      path,
      pattern: sent.pattern,
      from: begun.from,
      source,
      cleaned: (body) => traces.removeFrom({ status: 200, type: 'text/event-stream', body }, () => own),
      onOver: ({ bytesOut, credits }) =>
        replies.log(call, { ...ended, credits: ended.credits + credits }, 200, sizesOf(call, bytesOut)),
    })
    if (!(opened instanceof ReadableStream)) return failed(admitted, opened, 'busy')
    settleOpening(admitted)
    facts.allowSeconds(0)
    return replies.respond(call, ended, 200, opened, headers)
  }

  return { failed, answered, answeredFromCache, streamed }
}

const sizesOf = ({ sent: { pattern, body }, startedAt }: OfferedCall, bytesOut: number) => ({
  pattern,
  startedAt,
  bytesIn: body?.byteLength ?? 0,
  bytesOut,
})

/** To a HEAD the server sends the length of the body alone. */
const bytesOutOf = ({ request }: OfferedCall, { byteLength }: Uint8Array): number =>
  request.method === 'HEAD' ? 0 : byteLength

const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304

/** Compresses text. What is none is mostly hashes and signatures, of which nothing is left out. */
const encodedOf = (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  { request }: OfferedCall,
) =>
  /^text\/|[/+](?:json|xml)\b/.test(headers['content-type'] ?? '')
    ? compressAnswer(bytes, request.headers.get('accept-encoding'))
    : null
