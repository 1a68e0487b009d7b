import { addCredential } from '../downstream/credential.ts'
import type { Route } from '../route.ts'

/** What a client of the protocol says to a server. The caller's own credentials are not among it. */
const sent =
  /^(?:accept|content-type|last-event-id|traceparent|tracestate|baggage|mcp-(?:protocol-version|method|name|param-.*))$/

/** What a server says to its client. Not `www-authenticate`: it would send the client's sign-in elsewhere. */
const returned = ['content-type', 'cache-control', 'allow', 'retry-after'] as const

export function headersToDownstream(asked: Headers, route: Route, downstreamSession: string | null): Headers {
  const headers = new Headers()
  for (const [name, value] of asked) if (sent.test(name)) headers.set(name, value)
  if (downstreamSession !== null) headers.set('mcp-session-id', downstreamSession)
  headers.set('user-agent', 'gatehouse')
  addCredential(headers, route.credential())
  return headers
}

export function headersToCaller(received: Headers): Headers {
  const headers = new Headers({ 'x-content-type-options': 'nosniff', 'x-accel-buffering': 'no' })
  for (const name of returned) {
    const value = received.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}
