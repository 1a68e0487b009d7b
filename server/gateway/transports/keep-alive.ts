import type { RequestId } from '@modelcontextprotocol/server'

import { fieldsOf } from '../../../shared/fields.ts'
import { withinDeadline } from '../../platform/deadline.ts'
import { parseJson } from '../../platform/json.ts'
import { isSubscription } from '../../platform/standing-stream.ts'
import type { Log } from '../../platform/log.ts'
import type { GatewayRequest } from '../authentication.ts'
import type { GatewaySettings } from '../settings.ts'
import { faultRefusal, refusedCode } from './refusals.ts'
import { streamHeaders } from './sse-transport.ts'

interface Awaited {
  /** Returns the id of the JSON-RPC request that is answered; null for what cannot be answered with an event. */
  readonly requestId: () => RequestId | null
  /** Whether event streams of the answer lack comments, as those of tool servers may. */
  readonly areEventsSilent?: boolean
}

/**
 * Sees to it that something is sent to a client while its request is worked on, because proxies cut connections on which
 * nothing is. An answer that takes longer than the interval becomes an event stream, where the client takes one: comments
 * first, then the answer as its only event. By then the status is sent, so that a refusal becomes a JSON-RPC error.
 */
export type KeepAlive = (
  incoming: Pick<GatewayRequest, 'request' | 'facts'>,
  answer: Response | Promise<Response>,
  awaited: Awaited,
) => Response | Promise<Response>

/** One object for all calls: each error takes down its stack, and nobody sees this one. */
const late = new Error('the answer takes longer than the interval')

export function createKeepAlive({ keepAliveMs }: Pick<GatewaySettings, 'keepAliveMs'>, log: Log): KeepAlive {
  async function kept(
    { facts }: Pick<GatewayRequest, 'facts'>,
    answer: Promise<Response>,
    { requestId, areEventsSilent = false }: Awaited,
  ): Promise<Response> {
    try {
      const response = await withinDeadline(answer, keepAliveMs, () => late)
      if (!areEventsSilent || !isEventStream(response)) return response
      const { status, headers, body } = response
      return new Response(withComments(Promise.resolve(body), keepAliveMs, false), { status, headers })
    } catch (thrown) {
      if (thrown !== late) throw thrown
    }
    const id = requestId()
    if (id === null) return answer
    const events = answer
      .catch((thrown: unknown) => faultRefusal(thrown, facts, log))
      .then((response) => eventsOf(response, id))
    // Who waits for it is told; who has left is not there to be told.
    events.catch(() => undefined)
    return new Response(withComments(events, keepAliveMs, true), { headers: streamHeaders })
  }

  return (incoming, answer, awaited) =>
    answer instanceof Promise && takesEvents(incoming.request.headers)
      ? kept(incoming, answer, awaited)
      : answer
}

/** Returns the id of the one JSON-RPC request in a body; null for any other body, and for what begins a session by a header. */
export function awaitedIdIn(body: unknown): RequestId | null {
  const { id, method } = fieldsOf(body)
  if (typeof method !== 'string' || method === 'initialize') return null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * Returns true for streams and for calls that may wait for other servers. Bun would otherwise close the
 * connection after ten silent seconds.
 */
export const mayTakeLong = (body: unknown): boolean => [body].flat().some(isLong)

function isLong(message: unknown): boolean {
  if (isSubscription(message)) return true
  if (typeof message !== 'object' || message === null || !('method' in message)) return false
  if (message.method !== 'tools/call' || !('params' in message)) return false
  const { params } = message
  return typeof params === 'object' && params !== null && 'name' in params && params.name === 'execute'
}

const takesEvents = (headers: Headers): boolean =>
  headers.get('accept')?.toLowerCase().includes('text/event-stream') === true

type EventStream = Response & { readonly body: ReadableStream<Uint8Array> }

export const isEventStream = (response: Response): response is EventStream =>
  response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream') === true

/** Returns an answer as an event stream: a body of JSON is one event, and whatever is no answer becomes an error. */
async function eventsOf(response: Response, id: RequestId): Promise<ReadableStream<Uint8Array>> {
  const { ok, status } = response
  if (ok && isEventStream(response)) return response.body
  const text = await response.text()
  const { id: answered, error } = fieldsOf(parseJson(text))
  const failed = { jsonrpc: '2.0', id, error: error ?? { code: refusedCode, message: `HTTP ${status}` } }
  const message = ok && answered === id ? text : JSON.stringify(failed)
  const lines = message.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return new Blob([`event: message\n${lines.join('')}\n`]).stream()
}

const comment = new TextEncoder().encode(': keep-alive\n\n')

/** What may end the bytes after which a comment breaks no event apart. */
const eventEnd = /^$|\n\r?\n$|\r\r$/
const eventEndChars = 4

/** The same events, with a comment at each interval, and at once where `isLate`. Reads as fast as it is read. */
function withComments(
  events: Promise<ReadableStream<Uint8Array>>,
  everyMs: number,
  isLate: boolean,
): ReadableStream<Uint8Array> {
  const reading = events.then((stream) => stream.getReader())
  reading.catch(() => undefined) // told by `pull`
  let lastChars = ''
  let timer: ReturnType<typeof setInterval> | null = null
  let isOver = false

  function end(): void {
    isOver = true
    if (timer !== null) clearInterval(timer)
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (isLate) controller.enqueue(comment)
        timer = setInterval(() => {
          // Whoever does not read has comments enough.
          if (eventEnd.test(lastChars) && controller.desiredSize === 0) controller.enqueue(comment)
        }, everyMs)
      },
      async pull(controller) {
        try {
          const { done, value } = await (await reading).read()
          if (isOver) return
          if (done) {
            end()
            return controller.close()
          }
          const ending = Buffer.from(value.subarray(-eventEndChars)).toString('latin1')
          lastChars = `${lastChars}${ending}`.slice(-eventEndChars)
          controller.enqueue(value)
        } catch (error) {
          end()
          throw error
        }
      },
      cancel() {
        end()
        reading.then((reader) => reader.cancel()).catch(() => undefined) // it has ended already
      },
    },
    { highWaterMark: 0 },
  )
}
