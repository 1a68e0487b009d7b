import type { RequestId } from '@modelcontextprotocol/server'

import type { ForwardedHead } from './envelope.ts'
import { lastEvents } from './unfinished-requests.ts'

/** The response of another process as its caller gets it. */
export interface PassedOn {
  readonly response: Response
  /** Ends the response, because nothing more will come or nobody waits for more. */
  abort(): void
}

interface PassOnOptions {
  readonly head: ForwardedHead
  /** What was read of the body. */
  readonly rest: Uint8Array
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  /** The JSON-RPC requests that the caller waits for. */
  readonly requestIds: readonly RequestId[]
  onEnd(): void
}

/** Passes a response on as fast as it is read. A stream of events that breaks off ends with an error for each request. */
export function passOn({ head, rest, reader, requestIds, onEnd }: PassOnOptions): PassedOn {
  const { status, headers, hasBody } = head
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null
  let unsent = rest
  let isOver = false

  function finish(): void {
    isOver = true
    onEnd()
  }

  /** The connection can carry the next request once its end was read. */
  function bodiless(): PassedOn {
    finish()
    reader.read().catch(() => undefined)
    return { response: new Response(null, { status, headers }), abort: () => undefined }
  }

  function abort(): void {
    if (isOver || stream === null) return
    finish()
    reader.cancel().catch(() => undefined)
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      return stream.error(new Error('the process that was answering has ended'))
    if (requestIds.length > 0) stream.enqueue(new TextEncoder().encode(lastEvents(requestIds)))
    stream.close()
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (unsent.length > 0) {
      controller.enqueue(unsent)
      unsent = new Uint8Array()
      return
    }
    try {
      const { done, value } = await reader.read()
      if (isOver) return
      if (!done) return controller.enqueue(value)
      finish()
      controller.close()
    } catch {
      abort()
    }
  }

  if (!hasBody) return bodiless()
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream = controller
      },
      pull,
      async cancel() {
        if (!isOver) finish()
        await reader.cancel()
      },
    },
    { highWaterMark: 0 },
  )
  const response = new Response(body, { status, headers })
  return { response, abort }
}
