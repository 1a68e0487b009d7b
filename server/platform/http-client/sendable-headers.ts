/** These headers describe the connection or the body, so the client sets them itself. */
const reservedHeaders =
  /^(?:accept-encoding|connection|content-length|content-type|expect|host|keep-alive|proxy-authorization|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/

/** Returns the configured headers without those that the client sets itself. */
export function sendableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sent: Record<string, string> = {}
  for (const [name, value] of new Headers(headers)) {
    if (!reservedHeaders.test(name)) sent[name] = value
  }
  return sent
}
