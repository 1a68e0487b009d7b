import type { FetchLike } from '@modelcontextprotocol/client'

import type { EgressFetch } from '../../platform/egress.ts'
import { distrustConnectionOf, EgressError } from '../../platform/egress.ts'
import type { DownstreamService } from '../downstream-service.ts'
import { type Bytes, dropped, readBeginning, readJsonBody } from './bodies.ts'
import { type Credential, credentialHeader } from './credential.ts'
import { createEventBudget, watchedEvents } from './event-stream.ts'
import { type Exchange, type Exchanges, exchangeHeader } from './exchanges.ts'
import { DownstreamError } from './failure.ts'
import type { DownstreamLimits } from './limits.ts'

export interface DownstreamFetchOptions {
  readonly fetch: EgressFetch
  readonly service: DownstreamService
  readonly credential: Credential | null
  readonly limits: DownstreamLimits
  readonly exchanges: Exchanges
  /** Told of what ends the connection as a whole. */
  onBroken(error: DownstreamError): void
}

/** What the SDK sets and a downstream may see. */
const sentHeaders =
  /^(?:accept|content-type|last-event-id|mcp-(?:session-id|protocol-version|method|name|param-.*))$/
const keptHeaders = ['content-type', 'mcp-session-id'] as const
const refusalBytes = 64 << 10
type SentHeaders = Readonly<Record<string, string>>

/** One request of the era in which each stands alone. `headers`: without those of every request. */
export type Post = (headers: SentHeaders, body: string, exchange: Exchange) => Promise<Answer>

/** What came, within the limits. */
export interface Answer {
  /** Its body was read, or is being read. */
  readonly response: Response
  /** A stream is one of events; everything else is there as a whole. */
  readonly body: Bytes | ReadableStream<Bytes> | null
}

/** After the end of a stream, the SDK still has the last events to read. */
const lastEventsMs = 250

/** What is sent, and what it is an answer to. */
interface Sending {
  readonly url: string | URL
  readonly method: string
  readonly headers: SentHeaders
  readonly body: BodyInit | null
  readonly exchange: Exchange | null
  readonly signal: AbortSignal
}

/**
 * The `fetch` of one downstream connection, below the SDK: it adds the credential, sends it nowhere but to the origin
 * of the service, and hands up no more than the limits allow. Rejects with a `DownstreamError`.
 */
export function createDownstreamFetch(options: DownstreamFetchOptions): { fetch: FetchLike; post: Post } {
  const { service, credential, limits, exchanges, onBroken } = options
  const { origin } = new URL(service.url)
  const standingBudget = createEventBudget(limits)

  const ofEveryRequest = { 'user-agent': 'gatehouse', ...credentialHeader(credential) }

  /** The event stream of a whole connection, as the older transport has it. */
  const isStanding = (method: string): boolean => method === 'GET' && service.transport === 'sse'

  async function send({ url, method, headers, body, signal }: Sending): Promise<Response> {
    try {
      return await options.fetch(url, { method, headers: { ...headers, ...ofEveryRequest }, body, signal })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw new DownstreamError('unreachable', error instanceof EgressError ? error.code : 'fetch')
    }
  }

  async function read(response: Response, { method, headers, exchange }: Sending): Promise<Answer> {
    const { status } = response
    if (status === 401 || status === 403)
      return refuse(response, new DownstreamError('unauthorized', String(status)))
    if (status === 404 && 'mcp-session-id' in headers)
      return refuse(response, new DownstreamError('session_lost'))
    if (!response.ok) return { response, body: await readBeginning(response, refusalBytes) }
    const type = mediaType(response)
    if (type === 'application/json') return { response, body: await readJsonBody(response, limits) }
    if (type === 'text/event-stream' && response.body !== null) {
      const isStandingStream = isStanding(method)
      const body = watchedEvents(response.body, limits, {
        budget: isStandingStream ? standingBudget : createEventBudget(limits),
        onEnd(error, isResumable) {
          if (isStandingStream) onBroken(error ?? new DownstreamError('unreachable', 'stream ended'))
          else onAnswerEnd(error, isResumable, exchange)
        },
      })
      return { response, body }
    }
    await dropped(response.body?.cancel())
    return { response, body: null }
  }

  function onAnswerEnd(error: DownstreamError | null, isResumable: boolean, exchange: Exchange | null): void {
    if (exchange === null) return error === null ? undefined : onBroken(error)
    if (error !== null && typeof error.reason !== 'string') return exchange.fail(error)
    // The SDK takes a resumable stream up again by itself; of any other it would wait for an answer for ever.
    if (isResumable) return
    setTimeout(
      () => exchange.fail(error ?? new DownstreamError('not_mcp', 'no answer')),
      lastEventsMs,
    ).unref()
  }

  /** The SDK drops a response with another id, and would wait for the right one for ever. */
  function failUnanswered(exchange: Exchange, response: Response): void {
    setTimeout(() => {
      if (exchanges.find(exchange.id) === null) return
      distrustConnectionOf(response)
      exchange.fail(new DownstreamError('not_mcp', 'no answer'))
    }, lastEventsMs).unref()
  }

  async function exchanged(sending: Sending): Promise<Answer> {
    const { method, exchange, signal } = sending
    if (method === 'POST') standingBudget.renew()
    try {
      return await read(await send(sending), sending)
    } catch (error) {
      const failure = error instanceof DownstreamError ? error : new DownstreamError('unreachable')
      if (!signal.aborted) (exchange?.note ?? onBroken)(failure)
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
      // Without a standing stream, a downstream cannot send what nobody asked for, and costs no socket while idle.
      if (method === 'GET' && service.transport === 'http' && !asked.has('last-event-id')) {
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

const sentOf = (asked: Headers): SentHeaders =>
  Object.fromEntries([...asked].filter(([name]) => sentHeaders.test(name)))

async function refuse(response: Response, error: DownstreamError): Promise<never> {
  await dropped(response.body?.cancel())
  throw error
}

/** Nothing but what the protocol needs: a hostile `www-authenticate` or `location` ends here. */
function responseOf({ response: { status, headers }, body }: Answer): Response {
  const kept = new Headers()
  for (const name of keptHeaders) {
    const value = headers.get(name)
    if (value !== null) kept.set(name, value)
  }
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : body, { status, headers: kept })
}

const mediaType = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

function signalOf(
  asked: AbortSignal | null | undefined,
  exchange: Exchange | null,
  totalMs: number | null,
): AbortSignal {
  const signals: AbortSignal[] = []
  if (asked !== null && asked !== undefined) signals.push(asked)
  if (exchange !== null) signals.push(exchange.signal)
  else if (totalMs !== null) signals.push(AbortSignal.timeout(totalMs))
  return AbortSignal.any(signals)
}
