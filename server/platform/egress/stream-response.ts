import { EgressError } from './failure.ts'
import type { CappedBody } from './body.ts'
import type { Cutoff } from './cutoff.ts'
import { hasBody, type Received } from './received.ts'

/** Half a millisecond of reading, even where all of it comes in one piece. */
const shortBytes = 64 << 10

/** It says how long it is, and that is not much. */
export const isShort = ({ headers }: Pick<Response, 'headers'>): boolean =>
  Number(headers.get('content-length') ?? Infinity) <= shortBytes && !headers.has('content-encoding')

/** An answer that is there as a whole: as a stream, it would take longer to read than to get. */
export async function shortResponse(received: Received, body: CappedBody, cutoff: Cutoff): Promise<Response> {
  const { status, statusText, headers } = received
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let piece = await body.next(); piece !== null; piece = await body.next()) {
    bytes += piece.byteLength
    // A peer may announce a length and send another one in chunks.
    if (bytes > shortBytes) throw new EgressError('PROTOCOL')
    pieces.push(piece)
  }
  cutoff.release()
  const [first = new Uint8Array(), ...more] = pieces
  const whole = more.length === 0 ? first : new Uint8Array(Buffer.concat(pieces))
  const response = new Response(hasBody(received) ? whole : null, { status, statusText, headers })
  wholeBodies.set(response, whole)
  return response
}

const wholeBodies = new WeakMap<Response, Uint8Array<ArrayBuffer>>()

/** The body of an answer that is there as a whole when `fetch` resolves, without a turn of the event loop; otherwise null. */
export const wholeBodyOf = (response: Response): Uint8Array<ArrayBuffer> | null =>
  wholeBodies.get(response) ?? null

/** An answer whose body arrives piece by piece, as its reader asks; the cutoff lives until the body has ended. */
export function streamResponse(received: Received, body: CappedBody, cutoff: Cutoff): Response {
  const { status, statusText, headers } = received
  if (!hasBody(received)) {
    cutoff.release()
    return new Response(null, { status, statusText, headers })
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
      async cancel() {
        cutoff.fail(new EgressError('ABORTED'))
        cutoff.release()
        await body.drop()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { status, statusText, headers: headersOfDecoded(headers) })
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
