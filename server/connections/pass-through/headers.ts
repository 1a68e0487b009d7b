import type { SentHeaders } from '../downstream/credential.ts'

/** Request headers of the protocol, which are passed on. The caller's credentials are not among them. */
const sent =
  /^(?:accept|content-type|last-event-id|traceparent|tracestate|baggage|mcp-(?:protocol-version|method|name|param-.*))$/

/**
 * Response headers that are passed back. `www-authenticate` is not among them, because it would send the
 * client's sign-in to a third party.
 */
const returned = ['content-type', 'cache-control', 'allow', 'retry-after'] as const

export function headersToDownstream(asked: Headers, downstreamSession: string | null): SentHeaders {
  const headers = Object.fromEntries([...asked].filter(([name]) => sent.test(name)))
  return downstreamSession === null ? headers : { ...headers, 'mcp-session-id': downstreamSession }
}

export function headersToCaller(received: Headers): Headers {
  const headers = new Headers({ 'x-content-type-options': 'nosniff', 'x-accel-buffering': 'no' })
  for (const name of returned) {
    const value = received.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}
