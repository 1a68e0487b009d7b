/** These belong to the connection or to the body, and are ours to say. */
const ownHeaders =
  /^(?:accept-encoding|connection|content-length|content-type|expect|host|keep-alive|proxy-authorization|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/

/** The headers that an upstream wants, as they may be sent. Throws TypeError for what HTTP cannot carry. */
function upstreamHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json', ...givenHeaders(headers) }
}

/** Of these headers, those that can be sent. */
export function givenHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sent: Record<string, string> = {}
  for (const [name, value] of new Headers(headers)) {
    if (!ownHeaders.test(name)) sent[name] = value
  }
  return sent
}

/** Request line and headers of every request to an upstream over HTTP, up to the number of the content length. */
export function requestHead(url: string, headers: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries(upstreamHeaders(headers)).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: identity\r\n` +
    `${lines.join('')}content-length: `
  )
}
