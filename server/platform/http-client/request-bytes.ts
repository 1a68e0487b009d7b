import type { Outbound } from '../egress/outbound.ts'
import { rememberedOf } from '../remembered.ts'

/** A request as it goes over the wire. */
export interface RequestBytes {
  readonly bytes: Uint8Array
  /** True when its response has no body, whatever the head of the response says. */
  readonly hasBodilessResponse: boolean
}

/** @param path with the query; ASCII, as a parsed URL has it */
export function requestBytes(path: string, { method, headers, body }: Outbound): RequestBytes {
  const known = headOf(headers, `${method} ${path}`)
  let head = known.text
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  if (length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH') {
    head += `content-length: ${length}\r\n`
  }
  return { bytes: bytesOf(`${head}\r\n`, known.isAscii, body ?? ''), hasBodilessResponse: method === 'HEAD' }
}

const headOf = rememberedOf((headers: Headers, methodAndPath: string) => {
  let text = `${methodAndPath} HTTP/1.1\r\nconnection: keep-alive\r\n`
  for (const [name, value] of headers) {
    if (name !== 'content-length' && name !== 'transfer-encoding') text += `${name}: ${value}\r\n`
  }
  return { text, isAscii: isAscii(text) }
})

/** A header's value is a string of bytes: of characters up to U+00FF. Nearly every one is ASCII. */
function bytesOf(head: string, isAsciiHead: boolean, body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string' && isAsciiHead) return Buffer.from(head + body)
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
}

const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text)
