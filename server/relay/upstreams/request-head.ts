import { sendableHeaders } from '../../platform/http-client/sendable-headers.ts'

/** Returns the headers of every request to an upstream. Throws TypeError for values that HTTP cannot carry. */
function upstreamHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json', ...sendableHeaders(headers) }
}

/** Returns request line and headers of HTTP requests to an upstream, up to the value of content-length. */
export function requestHead(
  url: string,
  headers: Readonly<Record<string, string>>,
  acceptEncoding = 'identity',
): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries(upstreamHeaders(headers)).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: ${acceptEncoding}\r\n` +
    `${lines.join('')}content-length: `
  )
}
