import { takenEncodings } from '../http-client/decode-body.ts'
import type { EgressTarget } from './target.ts'

/** A request that is ready to be sent, and to be sent again to the next address. */
export interface Outbound {
  method: string
  /** Never changed once they are here: other requests may have the same. */
  headers: Headers
  body: string | Uint8Array<ArrayBuffer> | undefined
}

/** These describe the connection, which is not the caller's (RFC 9110 section 7.6.1). */
const connectionHeaders: readonly string[] = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
]

/** @throws TypeError for a header that HTTP cannot carry, or a body on GET or HEAD */
export function outboundOf(
  target: EgressTarget,
  parts: { method: string; headers: HeadersInit | undefined; body: string | Uint8Array | undefined },
): Outbound {
  if (parts.body !== undefined && (parts.method === 'GET' || parts.method === 'HEAD')) {
    throw new TypeError(`a ${parts.method} request has no body`)
  }
  const body = parts.body instanceof Uint8Array ? new Uint8Array(parts.body) : parts.body
  return { method: parts.method, headers: headersFor(target, parts.headers), body }
}

/** Frozen headers stay what they are: what is made of them is made once, as long as they are sent to one place. */
function headersFor(target: EgressTarget, given: HeadersInit | undefined): Headers {
  if (given === undefined || given instanceof Headers || !Object.isFrozen(given))
    return sentHeaders(target, given)
  const known = ofFrozen.get(given)
  if (known?.target === target) return known.headers
  const headers = sentHeaders(target, given)
  ofFrozen.set(given, { target, headers })
  return headers
}

const ofFrozen = new WeakMap<HeadersInit, { readonly target: EgressTarget; readonly headers: Headers }>()

function sentHeaders(target: EgressTarget, given: HeadersInit | undefined): Headers {
  const headers = new Headers(given)
  for (const name of connectionHeaders) headers.delete(name)
  headers.set('host', target.hostHeader)
  headers.set('accept-encoding', 'identity')
  return headers
}

/** The same from what `fetch` takes. Its body is read whole, since a stream could not be sent twice. */
export async function outboundOfFetch(
  target: EgressTarget,
  input: string | URL | Request,
  init: (RequestInit & { readonly takesCompressed?: boolean }) | undefined,
): Promise<Outbound> {
  const outbound = await outboundOfInit(target, input, init)
  if (init?.takesCompressed !== true) return outbound
  const headers = new Headers(outbound.headers)
  headers.set('accept-encoding', takenEncodings)
  return { ...outbound, headers }
}

async function outboundOfInit(
  target: EgressTarget,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Outbound> {
  const plain = input instanceof Request ? null : plainRequest(init)
  if (plain !== null) return outboundOf(target, plain)
  const asked = new Request(input, init)
  const { method, headers } = asked // before the body: Bun forgets the content type of a form once it is read
  const body = asked.body === null ? undefined : new Uint8Array(await asked.arrayBuffer())
  return outboundOf(target, { method, headers, body })
}

/** What most callers give needs no `Request` to be read, which costs more than the rest of an exchange's beginning. */
function plainRequest(init: RequestInit | undefined): Parameters<typeof outboundOf>[1] | null {
  const body = init?.body ?? undefined
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) return null
  return { method: (init?.method ?? 'GET').toUpperCase(), headers: init?.headers, body }
}
