/** These headers describe the connection or the body, so the relay sets them itself. */
const reservedHeaders =
  /^(?:accept-encoding|connection|content-length|content-type|expect|host|keep-alive|proxy-authorization|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/

/** Returns the headers of every request to an upstream. Throws TypeError for values that HTTP cannot carry. */
function upstreamHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json', ...sendableHeaders(headers) }
}

/** Returns the configured headers without those that the relay sets itself. */
export function sendableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sent: Record<string, string> = {}
  for (const [name, value] of new Headers(headers)) {
    if (!reservedHeaders.test(name)) sent[name] = value
  }
  return sent
}

/** Returns request line and headers of every HTTP request to an upstream, up to the value of content-length. */
export function requestHead(url: string, headers: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries(upstreamHeaders(headers)).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: identity\r\n` +
    `${lines.join('')}content-length: `
  )
}
