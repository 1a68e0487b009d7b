import type { FetchLike } from '@modelcontextprotocol/client'

import { distrustConnectionOf } from '../../platform/egress.ts'
import { remembered } from '../../platform/remembered.ts'
import type { DownstreamService } from '../downstream-service.ts'
import { type Bytes, dropped, readBeginning, readJsonBody } from './bodies.ts'
import { type EventBudget, createEventBudget, watchedEvents } from './event-stream.ts'
import { type DownstreamExchange, type Exchanges, exchangeHeader } from './exchanges.ts'
import { DownstreamError } from './failure.ts'
import type { DownstreamLimits } from './limits.ts'
import type { SentHeaders } from './credential.ts'
import { bodyWithoutNullMeta, createNullMetaFilter } from './null-meta.ts'
import { refusedForNow, responseToRefused } from './refused-request.ts'
import { type SenderOptions, createSender } from './sender.ts'
import { createServerSession } from './server-session.ts'

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
  /** Changes the events of the answer; for a reader that does not take them as they come. */
  readonly rewrite?: (piece: Bytes) => Bytes
}

export interface DownstreamFetch {
  readonly fetch: FetchLike
  readonly post: Post
  /** Tells the tool server that the session of this connection is over, where it has one. Nobody waits for its answer. */
  endSession(): void
}

/**
 * Returns the `fetch` of one tool-server connection, below the SDK. It adds the credential, sends it only to the origin
 * of the service, and returns no more than the limits allow. Rejects with a `DownstreamError`.
 */
export function createDownstreamFetch(options: DownstreamFetchOptions): DownstreamFetch {
  const { service, limits, exchanges, onBroken, canBeAsked } = options
  const { origin } = new URL(service.url)
  const standingBudget = createEventBudget(limits)
  const sender = createSender(options)
  const session = createServerSession(sender, service.url)

  /** Returns true for the event stream of a whole connection. */
  const isStanding = (method: string): boolean =>
    method === 'GET' && (service.transport === 'sse' || canBeAsked)

  async function read(response: Response, sending: Sending): Promise<DownstreamAnswer> {
    const { method, headers, exchange, rewrite } = sending
    const { status } = response
    if (status === 401 || status === 403)
      return refuse(response, await sender.refusalOf(response, isOptional(service, sending)))
    if (status === 404 && 'mcp-session-id' in headers)
      return refuse(response, new DownstreamError('session_lost'))
    if (!response.ok) return readRefused(response, sending)
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
        ...(rewrite !== undefined && { rewrite }),
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
    const { exchange, signal } = sending
    countSent(sending)
    try {
      return await read(await sender.send(sending), sending)
    } catch (error) {
      const failure = error instanceof DownstreamError ? error : new DownstreamError('unreachable')
      if (failure.reason === 'session_lost') session.lost()
      if (signal.aborted || isOptional(service, sending)) throw failure
      if (exchange === null) onBroken(failure.reason === 'session_lost' ? sessionOver() : failure)
      else exchange.note(failure)
      throw failure
    }
  }

  return {
    post: (headers, body, exchange) =>
      exchanged({ url: service.url, method: 'POST', headers, body, exchange, signal: exchange.signal }),

    endSession: session.end,
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
      const headers = sentOf(asked)
      session.sent(headers)
      if (method === 'POST') standingBudget.renew()
      const rewrite = createNullMetaFilter()
      const answer = await exchanged({ url, method, headers, body, exchange, signal, rewrite })
      if (exchange !== null && answer.body instanceof Uint8Array && service.transport === 'http') {
        failUnanswered(exchange, answer.response)
      }
      return responseOf(answer)
    },
  }
}

/** The SDK does without a standing stream that is refused. Whether the session is lost, the next POST shows. */
const isOptional = ({ transport }: DownstreamService, { method, headers }: Sending): boolean =>
  transport === 'http' && method === 'GET' && !('last-event-id' in headers)

/** Ends the calls in progress with their session. They were taken notice of, and must not be sent again. */
const sessionOver = (): DownstreamError => new DownstreamError('unreachable', 'HTTP 404')

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

/** An answer to the request, whatever its status, or what the SDK makes an error of. */
async function readRefused(response: Response, { exchange, body: sent }: Sending): Promise<DownstreamAnswer> {
  const body = await readBeginning(response, refusalBytes)
  if (exchange === null) return { response, body }
  const answer = responseToRefused(response, body, sent)
  const refused = answer.ok ? null : refusedForNow(response)
  if (refused !== null) exchange.note(refused)
  return { response: answer, body }
}

async function refuse(response: Response, error: DownstreamError): Promise<never> {
  await dropped(response.body?.cancel())
  throw error
}

/**
 * Returns a response for the SDK with only the headers that the protocol needs, so that a hostile `www-authenticate` or
 * `location` ends here.
 */
function responseOf({ response: { status, headers }, body }: DownstreamAnswer): Response {
  const kept = new Headers()
  for (const name of keptHeaders) {
    const value = headers.get(name)
    if (value !== null) kept.set(name, value)
  }
  const isEmpty = status === 204 || status === 304
  const shown = body instanceof Uint8Array ? bodyWithoutNullMeta(body) : body
  return new Response(isEmpty ? null : shown, { status, headers: kept })
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
