import type { RequestId } from '@modelcontextprotocol/server'

import { headLine, takenLine } from './envelope.ts'
import { lastEvents } from './unfinished-requests.ts'

interface SendPartsOptions {
  /** Makes the response, once the request was acknowledged. */
  response(): Promise<Response>
  /** The JSON-RPC requests that the caller waits for. */
  readonly requestIds: readonly RequestId[]
  /** Called once, however the response ended. */
  onEnd(): void
  onBroken(error: unknown): void
}

/**
 * The response to a forwarded request as it goes to the other process, as fast as that reads it: that the request was
 * taken, its head, and its body. A stream of events that breaks off ends with an error for each request, as the other
 * process could lose what was not read yet if its connection broke instead.
 */
export function sendParts({ response, requestIds, onEnd, onBroken }: SendPartsOptions): {
  readonly stream: ReadableStream<Uint8Array>
  /** Nobody waits for it any more. */
  abort(): void
} {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  let isTaken = false
  let isEventStream = false
  let isOver = false

  function end(): void {
    if (isOver) return
    isOver = true
    onEnd()
  }

  function abort(): void {
    end()
    reader?.cancel().catch(() => undefined)
  }

  async function begin(): Promise<Uint8Array | null> {
    const made = await response()
    const { status, body } = made
    const headers = forwardedResponseHeaders(made.headers)
    isEventStream = made.headers.get('content-type')?.startsWith('text/event-stream') === true
    reader = (body ?? new Blob([]).stream()).getReader()
    if (isOver) abort()
    return headLine({ status, headers, hasBody: body !== null })
  }

  async function next(): Promise<Uint8Array | null> {
    if (!isTaken) {
      isTaken = true
      return takenLine()
    }
    if (reader === null) return await begin()
    const { done, value } = await reader.read()
    return done ? null : value
  }

  function breakOff(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    if (isOver) return
    onBroken(error)
    end()
    if (!isEventStream) return controller.error(error)
    if (requestIds.length > 0) controller.enqueue(new TextEncoder().encode(lastEvents(requestIds)))
    controller.close()
  }

  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const part = await next()
        if (isOver) return
        if (part !== null) return controller.enqueue(part)
        end()
        controller.close()
      } catch (error) {
        breakOff(controller, error)
      }
    },
    cancel: abort,
  }
  return { stream: new ReadableStream(source, { highWaterMark: 0 }), abort }
}

/** Response headers that the forwarding process cannot produce by itself. */
const forwardedResponseHeaderNames =
  /^(?:allow|cache-control|content-type|mcp-.+|ratelimit.*|retry-after|www-authenticate|x-accel-buffering)$/

const forwardedResponseHeaders = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => forwardedResponseHeaderNames.test(name))
