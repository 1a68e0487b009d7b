import { readBytes } from '../http/body-bytes.ts'
import { Fault } from '../platform/fault.ts'

/** Makes something of a body. Malformed UTF-8 is U+FFFD in the text, and passed on so; null: it is too large. */
export type MakeOfBody<Made> = (text: string | null, bytes: number) => Made | Promise<Made>

const utf8 = new TextDecoder()

/** Reads the body of a request. `make` is called here, because each promise in between is felt at every call. */
export function readBody<Made>(
  request: Request,
  maxBytes: number,
  make: MakeOfBody<Made>,
): Made | Promise<Made> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > maxBytes) return make(null, declared)
  // The length is known, as with nearly every request: the server does not let more in than it says.
  if (declared >= 0) return request.text().then((text) => make(text, declared))
  return readUnknown(request, maxBytes).then((bytes) =>
    bytes === null ? make(null, maxBytes) : make(utf8.decode(bytes), bytes.length),
  )
}

async function readUnknown(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  try {
    return await readBytes(request, maxBytes)
  } catch (error) {
    if (error instanceof Fault && error.code === 'payload_too_large') return null
    throw error
  }
}
