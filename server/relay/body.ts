import { readBytes } from '../http/body-bytes.ts'
import { Fault } from '../platform/fault.ts'

interface Body {
  /** Malformed UTF-8 is U+FFFD in it, and passed on so. */
  readonly text: string
  readonly bytes: number
}

const utf8 = new TextDecoder()

/** The body of a request; null: it is too large. */
export async function readBody(request: Request, maxBytes: number): Promise<Body | null> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > maxBytes) return null
  // The length is known, as with nearly every request: the server does not let more in than it says.
  if (declared >= 0) return { text: await request.text(), bytes: declared }
  try {
    const bytes = await readBytes(request, maxBytes)
    return { text: utf8.decode(bytes), bytes: bytes.length }
  } catch (error) {
    if (error instanceof Fault && error.code === 'payload_too_large') return null
    throw error
  }
}
