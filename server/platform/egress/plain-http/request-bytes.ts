import type { Outbound } from '../outbound.ts'

/** A request as it goes over the wire. */
export interface RequestBytes {
  readonly bytes: Uint8Array
  /** Whether its answer has no body, whatever the head of the answer says. */
  readonly isBodilessAnswered: boolean
}

/** @param path with the query; ASCII, as a parsed URL has it */
export function requestBytes(path: string, { method, headers, body }: Outbound): RequestBytes {
  let head = `${method} ${path} HTTP/1.1\r\nconnection: keep-alive\r\n`
  for (const [name, value] of headers) {
    if (name !== 'content-length' && name !== 'transfer-encoding') head += `${name}: ${value}\r\n`
  }
  const bodyBytes = Buffer.from(body ?? '')
  if (bodyBytes.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH') {
    head += `content-length: ${bodyBytes.length}\r\n`
  }
  // A header's value is a string of bytes: of characters up to U+00FF.
  const headBytes = Buffer.from(`${head}\r\n`, 'latin1')
  return { bytes: Buffer.concat([headBytes, bodyBytes]), isBodilessAnswered: method === 'HEAD' }
}
