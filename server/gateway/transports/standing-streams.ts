import { isEventStream } from './keep-alive.ts'
import { invalidRequestCode, rpcRefusal } from './refusals.ts'

/**
 * The streams that answer no request and would last as long as their client: `GET /mcp`, `GET /mcp/c/…` and
 * `subscriptions/listen`, whether this process answers them or another one. A process that stops ends them, so that
 * nothing but requests is waited for.
 */
export interface StandingStreams {
  /** Answers with the stream that `open` opens, or with why it did not; refuses it once `endAll` was called. */
  serve(open: () => Response | Promise<Response>): Promise<Response>
  /** Ends all of them, as if nothing more were to be said. */
  endAll(): void
}

export function createStandingStreams(): StandingStreams {
  const ending = new AbortController()

  return {
    async serve(open) {
      if (ending.signal.aborted) return stopping()
      const response = await open()
      if (!isEventStream(response)) return response
      return new Response(endedBy(ending.signal, response.body), { headers: response.headers })
    },
    endAll: () => ending.abort(),
  }
}

/** A comment, without which a client would wait for the status until something is said, often for many seconds. */
const opening = new TextEncoder().encode(': open\n\n')

/** The same body, which ends without an error when the signal is aborted or its source breaks off. */
function endedBy(signal: AbortSignal, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(opening),
  })
  body
    .pipeTo(writable, { signal, preventAbort: true })
    .catch(() => writable.close())
    .catch(() => undefined) // its client is gone
  return readable
}

const stopping = (): Response =>
  rpcRefusal(503, invalidRequestCode, 'This process is stopping: the session goes on in another one', {
    headers: { 'retry-after': '1' },
  })
