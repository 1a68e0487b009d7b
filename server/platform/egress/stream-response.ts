import { EgressError } from './failure.ts'
import type { CappedBody } from './body.ts'
import type { Cutoff } from './cutoff.ts'

/** An answer whose body arrives piece by piece, as its reader asks; the cutoff lives until the body has ended. */
export function streamResponse(response: Response, body: CappedBody, cutoff: Cutoff): Response {
  const { status, statusText } = response
  if (response.body === null) {
    cutoff.release()
    return new Response(null, { status, statusText, headers: response.headers })
  }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const piece = await body.next()
          if (piece !== null) return controller.enqueue(piece)
          cutoff.release()
          controller.close()
        } catch (error) {
          controller.error(cutoff.fail(error))
          cutoff.release()
        }
      },
      cancel() {
        cutoff.fail(new EgressError('ABORTED'))
        cutoff.release()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { status, statusText, headers: headersOfDecoded(response.headers) })
}

/** The reader gets decoded bytes, which these two no longer describe. */
function headersOfDecoded(received: Headers): Headers {
  const headers = new Headers(received)
  if (headers.has('content-encoding')) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  return headers
}
