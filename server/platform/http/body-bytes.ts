import { bodyTooLarge } from './request-limits.ts'

/** The body as it was sent, of at most `maxBytes`. Throws `payload_too_large`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw bodyTooLarge(maxBytes)
    const bytes = await request.bytes()
    // A length can be declared falsely where a proxy or a test makes the request.
    if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes)
    return bytes
  }
  return request.body === null ? new Uint8Array() : readStream(request.body, maxBytes)
}

async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of stream) {
    length += chunk.length
    if (length > maxBytes) throw bodyTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
