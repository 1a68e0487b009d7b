import type { FetchLike } from '@modelcontextprotocol/client'

import { untilAborted } from '../../platform/deadline.ts'
import { EgressError, type EgressFetch, distrustConnectionOf } from '../../platform/egress.ts'
import { remembered } from '../../platform/remembered.ts'
import type { DownstreamService } from '../downstream-service.ts'
import { type Bytes, dropped, readBeginning, readJsonBody } from './bodies.ts'
import { type EventBudget, createEventBudget, watchedEvents } from './event-stream.ts'
import { type DownstreamExchange, type Exchanges, exchangeHeader } from './exchanges.ts'
import { DownstreamError, saysNotKnown } from './failure.ts'
import type { DownstreamLimits } from './limits.ts'
import { serverChallengeOf } from './challenge.ts'
import { type BearerAccess, type Credential, type SentHeaders, credentialHeader } from './credential.ts'

export interface SenderOptions {
  readonly fetch: EgressFetch
  readonly credential: Credential | null
  /** In place of a credential, for connections by OAuth. */
  readonly bearer: BearerAccess | null
  /** Called with each token before it is sent. */
  onToken(token: string): void
}

/** A request without what lets it in. */
interface Sent {
  readonly url: string | URL
  readonly method: string
  readonly headers: SentHeaders
  readonly body: BodyInit | null
  readonly signal: AbortSignal
}

export interface DownstreamFetchOptions extends SenderOptions {
  readonly service: DownstreamService
  readonly limits: DownstreamLimits
  readonly exchanges: Exchanges
  /** Whether callers of this connection can be asked: servers may ask on a stream that belongs to no call. */
  readonly canBeAsked: boolean
  /** Called when an error ends the whole connection. */
  onBroken(error: DownstreamError): void
}

/** The headers that the SDK sets and that a tool server may see. */
const sentHeaders =
  /^(?:accept|content-type|last-event-id|mcp-(?:session-id|protocol-version|method|name|param-.*))$/
const keptHeaders = ['content-type', 'mcp-session-id'] as const
const refusalBytes = 64 << 10

/** Sends one stateless request. `headers` are those beside the common ones. */
export type Post = (
  headers: SentHeaders,
  body: string,
  exchange: DownstreamExchange,
) => Promise<DownstreamAnswer>

/** A response within the limits. */
export interface DownstreamAnswer {
  /** The response whose body was read, or is being read. */
  readonly response: Response
  /** The body: a stream of events, or the whole of anything else. */
  readonly body: Bytes | ReadableStream<Bytes> | null
}

/** The time that the SDK has after the end of a stream to read its last events. */
const lastEventsMs = 250

/** A request on its way, and the exchange to which it belongs. */
interface Sending {
  readonly url: string | URL
  readonly method: string
  readonly headers: SentHeaders
  readonly body: BodyInit | null
  readonly exchange: DownstreamExchange | null
  readonly signal: AbortSignal
}

/**
 * Returns the `fetch` of one tool-server connection, below the SDK. It adds the credential, sends it only to the origin
 * of the service, and returns no more than the limits allow. Rejects with a `DownstreamError`.
 */
export function createDownstreamFetch(options: DownstreamFetchOptions): { fetch: FetchLike; post: Post } {
  const { service, limits, exchanges, onBroken, canBeAsked } = options
  const { origin } = new URL(service.url)
  const standingBudget = createEventBudget(limits)

  const sender = createSender(options)

  /** Returns true for the event stream of a whole connection. */
  const isStanding = (method: string): boolean =>
    method === 'GET' && (service.transport === 'sse' || canBeAsked)

  async function read(response: Response, { method, headers, exchange }: Sending): Promise<DownstreamAnswer> {
    const { status } = response
    if (status === 401 || status === 403) return refuse(response, await sender.refusalOf(response))
    if (status === 404 && 'mcp-session-id' in headers)
      return refuse(response, new DownstreamError('session_lost'))
    if (!response.ok) {
      const body = await readBeginning(response, refusalBytes)
      if (status === 400 && exchange !== null && saysNotKnown(body)) throw new DownstreamError('session_lost')
      return { response, body }
    }
    const type = mediaType(response)
    if (type === 'application/json') {
      const body = await readJsonBody(response, limits)
      countReceived(exchange, body.byteLength)
      return { response, body }
    }
    if (type === 'text/event-stream' && response.body !== null) {
      const isStandingStream = isStanding(method)
      const body = watchedEvents(response.body, limits, {
        budget: isStandingStream ? standingBudget : countedIn(exchange, createEventBudget(limits)),
        onEnd(error, isResumable) {
          if (isStandingStream) onStandingEnd(error)
          else onAnswerEnd(error, isResumable, exchange)
        },
      })
      return { response, body }
    }
    await dropped(response.body?.cancel())
    return { response, body: null }
  }

  /** The older transport is nothing but this stream; where it is one among others, the SDK opens it anew. */
  function onStandingEnd(error: DownstreamError | null): void {
    if (error !== null && typeof error.reason !== 'string') return onBroken(error)
    if (service.transport === 'sse') onBroken(error ?? new DownstreamError('unreachable', 'stream ended'))
  }

  function onAnswerEnd(
    error: DownstreamError | null,
    isResumable: boolean,
    exchange: DownstreamExchange | null,
  ): void {
    if (exchange === null) return error === null ? undefined : onBroken(error)
    if (error !== null && typeof error.reason !== 'string') return exchange.fail(error)
    // The SDK takes a resumable stream up again by itself; of any other it would wait for an answer for ever.
    if (isResumable) return
    setTimeout(
      () => exchange.fail(error ?? new DownstreamError('not_mcp', 'no answer')),
      lastEventsMs,
    ).unref()
  }

  /**
   * Fails an exchange whose response has another id: the SDK drops such a response, and would wait for the right one
   * for ever.
   */
  function failUnanswered(exchange: DownstreamExchange, response: Response): void {
    setTimeout(() => {
      if (exchanges.find(exchange.id) === null) return
      distrustConnectionOf(response)
      exchange.fail(new DownstreamError('not_mcp', 'no answer'))
    }, lastEventsMs).unref()
  }

  async function exchanged(sending: Sending): Promise<DownstreamAnswer> {
    const { method, headers, exchange, signal } = sending
    if (method === 'POST') standingBudget.renew()
    countSent(sending)
    try {
      return await read(await sender.send(sending), sending)
    } catch (error) {
      const failure = error instanceof DownstreamError ? error : new DownstreamError('unreachable')
      // The SDK does without a standing stream that is refused. Whether the session is lost, the next POST shows.
      const isOptional = service.transport === 'http' && method === 'GET' && !('last-event-id' in headers)
      if (!signal.aborted && !isOptional) (exchange?.note ?? onBroken)(failure)
      throw failure
    }
  }

  return {
    post: (headers, body, exchange) =>
      exchanged({ url: service.url, method: 'POST', headers, body, exchange, signal: exchange.signal }),

    async fetch(input, init = {}) {
      const url = new URL(input)
      if (url.origin !== origin) throw new DownstreamError('not_mcp', 'other origin')
      const { method = 'GET', body = null } = init
      const asked = new Headers(init.headers)
      // Without a standing stream, a downstream cannot send what nobody asked for, and costs no socket while idle. Where
      // callers can be asked it has one, because many servers ask there.
      if (method === 'GET' && !isStanding(method) && !asked.has('last-event-id')) {
        return new Response(null, { status: 405 })
      }
      const exchange = exchanges.find(asked.get(exchangeHeader))
      const signal = signalOf(init.signal, exchange, isStanding(method) ? null : limits.callTotalMs)
      const answer = await exchanged({ url, method, headers: sentOf(asked), body, exchange, signal })
      if (exchange !== null && answer.body instanceof Uint8Array && service.transport === 'http') {
        failUnanswered(exchange, answer.response)
      }
      return responseOf(answer)
    },
  }
}

function countSent({ exchange, body }: Sending): void {
  if (exchange?.traffic && typeof body === 'string') exchange.traffic.sent += Buffer.byteLength(body)
}

function countReceived(exchange: DownstreamExchange | null, bytes: number): void {
  if (exchange?.traffic) exchange.traffic.received += bytes
}

const countedIn = (exchange: DownstreamExchange | null, budget: EventBudget): EventBudget => ({
  renew: budget.renew,
  spend(bytes, events) {
    countReceived(exchange, bytes)
    return budget.spend(bytes, events)
  },
})

const sentOf = (asked: Headers): SentHeaders =>
  Object.fromEntries([...asked].filter(([name]) => sentHeaders.test(name)))

async function refuse(response: Response, error: DownstreamError): Promise<never> {
  await dropped(response.body?.cancel())
  throw error
}

/**
 * Returns a response with only the headers that the protocol needs, so that a hostile `www-authenticate` or `location`
 * ends here.
 */
function responseOf({ response: { status, headers }, body }: DownstreamAnswer): Response {
  const kept = new Headers()
  for (const name of keptHeaders) {
    const value = headers.get(name)
    if (value !== null) kept.set(name, value)
  }
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : body, { status, headers: kept })
}

const mediaType = ({ headers }: Response): string => essenceOf(headers.get('content-type') ?? '')
const essenceOf = remembered((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '')

function signalOf(
  asked: AbortSignal | null | undefined,
  exchange: DownstreamExchange | null,
  totalMs: number | null,
): AbortSignal {
  const signals: AbortSignal[] = []
  if (asked !== null && asked !== undefined) signals.push(asked)
  if (exchange !== null) signals.push(exchange.signal)
  else if (totalMs !== null) signals.push(AbortSignal.timeout(totalMs))
  return AbortSignal.any(signals)
}

export type RequestSender = ReturnType<typeof createSender>

/** Sends requests with what lets them in: a secret, or a token that is renewed. Rejects with a `DownstreamError`. */
export function createSender({ fetch, credential, bearer, onToken }: SenderOptions) {
  const ofEveryRequest: SentHeaders = { 'user-agent': 'gatehouse', ...credentialHeader(credential) }
  const ofFrozen = new WeakMap<SentHeaders, SentHeaders>()

  /** Frozen headers get the same ones each time. */
  function withOwn(headers: SentHeaders): SentHeaders {
    const known = ofFrozen.get(headers)
    if (known !== undefined) return known
    const whole = { ...headers, ...ofEveryRequest }
    if (Object.isFrozen(headers)) ofFrozen.set(headers, Object.freeze(whole))
    return whole
  }

  async function sendOnce({ url, method, body, signal }: Sent, headers: SentHeaders): Promise<Response> {
    try {
      return await fetch(url, { method, headers, body, signal })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw new DownstreamError('unreachable', error instanceof EgressError ? error.code : 'fetch')
    }
  }

  function sendWith(sent: Sent, token: string): Promise<Response> {
    onToken(token)
    return sendOnce(sent, { ...withOwn(sent.headers), authorization: `Bearer ${token}` })
  }

  return {
    /** A token that is refused is renewed once, and the request, of which nothing was done, sent again. */
    async send(sent: Sent): Promise<Response> {
      if (bearer === null) return sendOnce(sent, withOwn(sent.headers))
      const found = bearer.current()
      const token = typeof found === 'string' ? found : await untilAborted(found, sent.signal)
      const answer = await sendWith(sent, token)
      if (answer.status !== 401) return answer
      await dropped(answer.body?.cancel())
      return sendWith(sent, await untilAborted(bearer.after(token), sent.signal))
    },

    /** Why a request was refused. Whoever lacks scopes says which, and the owner can be asked for them. */
    async refusalOf(response: Response): Promise<DownstreamError> {
      const { error, scopes } = serverChallengeOf(response)
      const isLacking = bearer !== null && response.status === 403 && error === 'insufficient_scope'
      if (isLacking && (await bearer.lacks(scopes))) return new DownstreamError('more_scope_needed')
      return new DownstreamError('unauthorized', String(response.status))
    },
  }
}
