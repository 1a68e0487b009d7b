import type { LimitDecision } from '../limits/limits.ts'
import { compressAnswer, type EncodedBody, isWorthCompressing } from '../platform/http/compressed-answer.ts'
import { errorAnswer, type RpcError, rpcErrorText } from './errors.ts'
import type { RelayKey } from './ports.ts'
import type { Reply } from './relay-calls.ts'

/** The headers that tell a caller about the limits of its key. */
export interface LimitHeaders {
  /** Returns the value of `RateLimit-Policy`; null when the key has no limits. */
  policyOf(limits: Pick<RelayKey, 'rate' | 'credits' | 'further'>): string | null
  /** Returns `RateLimit` and `Retry-After`, by name. */
  stateOf(limitDecision: LimitDecision): Readonly<Record<string, string>>
}

/**
 * The web pages that may read a response: those of any origin, of one origin, or of none. With `omit` the caller is no
 * browser, and the response carries no CORS headers at all.
 */
export type CorsPolicy =
  | { readonly kind: 'any' | 'none' | 'omit' }
  | { readonly kind: 'one'; readonly origin: string }

export const anyOrigin: CorsPolicy = { kind: 'any' }
export const noOrigin: CorsPolicy = { kind: 'none' }
export const omitCors: CorsPolicy = { kind: 'omit' }

/**
 * Returns the policy of a key whose domain list has already allowed the caller. `origin` is the Origin header of the
 * request, null without one.
 */
export function corsPolicyOf(key: RelayKey, origin: string | null): CorsPolicy {
  if (key.allowedDomains.length === 0) return origin === null ? omitCors : anyOrigin
  return origin === null ? noOrigin : { kind: 'one', origin }
}

/** Credentials are never allowed, because no cookie means anything to the relay. */
function addCorsHeaders(headers: Record<string, string>, policy: CorsPolicy): void {
  switch (policy.kind) {
    case 'omit':
      return
    case 'none':
      headers.vary = 'Origin'
      return
    case 'one':
      headers['access-control-allow-origin'] = policy.origin
      headers.vary = 'Origin'
      break
    default:
      headers['access-control-allow-origin'] = '*'
  }
  headers['access-control-expose-headers'] = '*' // what a node says in headers of its own, too
}

/** A browser may reuse a preflight response for this many seconds, so a changed domain list takes effect after it. */
const preflightAgeSec = '600'

/** Returns the response to a CORS preflight request about a call with one of these methods of HTTP. */
export function preflightResponse(
  source: RequestSource,
  policy: CorsPolicy,
  methods: readonly string[],
): Response {
  const headers = responseHeaders(source, policy)
  if (policy.kind === 'any' || policy.kind === 'one') {
    headers['access-control-allow-methods'] = methods.join(', ')
    // The asterisk does not stand for this one (Fetch standard, "CORS-preflight fetch").
    headers['access-control-allow-headers'] = '*, authorization'
    headers['access-control-max-age'] = preflightAgeSec
  }
  return new Response(null, { status: 204, headers })
}

/** The request that a response belongs to. */
interface RequestSource {
  readonly requestId: string
}

/** Makes the HTTP response of a reply to a key. `acceptEncoding`: the header of its caller. */
export type ReplyResponse = (
  reply: Reply,
  key: RelayKey,
  source: RequestSource,
  cors: CorsPolicy,
  acceptEncoding: string | null,
) => Response | Promise<Response>

export function createReplyResponse(limits: LimitHeaders): ReplyResponse {
  const headersOf = createPreparedHeaders(limits)

  function responseOf(
    { status, text, credits, limitDecision, isCached, retryAfterSec }: Reply,
    key: RelayKey,
    { requestId }: RequestSource,
    cors: CorsPolicy,
    encoded: EncodedBody | null,
  ): Response {
    const body = deferredBody(encoded === null ? text : encoded.bytes)
    const response = new Response(body, { status, headers: headersOf(key, cors) })
    const { headers } = response
    headers.set('x-request-id', requestId)
    headers.set('x-rpc-credits', String(credits))
    if (isCached) headers.set('x-gatehouse-cache', 'hit')
    if (limitDecision !== null) {
      const state = limits.stateOf(limitDecision)
      for (const name in state) headers.set(name, state[name] ?? '')
    }
    if (retryAfterSec !== undefined) headers.set('retry-after', String(retryAfterSec))
    if (text !== null) addEncodingHeaders(headers, text.length, encoded)
    return response
  }

  return (reply, key, source, cors, acceptEncoding) => {
    const encoded = reply.text === null ? null : compressAnswer(reply.text, acceptEncoding)
    return encoded instanceof Promise
      ? encoded.then((bytes) => responseOf(reply, key, source, cors, bytes))
      : responseOf(reply, key, source, cors, encoded)
  }
}

/** @param length that of the body before it was compressed */
export function addEncodingHeaders(headers: Headers, length: number, encoded: EncodedBody | null): void {
  if (encoded !== null) headers.set('content-encoding', encoded.coding)
  if (encoded !== null || isWorthCompressing(length)) headers.append('vary', 'accept-encoding')
}

/** The headers of the two CORS policies that nearly all responses have. */
interface PreparedHeaders {
  readonly any: Headers
  readonly omit: Headers
}

/**
 * Prepares all headers that every response to a key has in common: copying a `Headers` takes a third less time than
 * making one from a record.
 */
function createPreparedHeaders(limits: LimitHeaders) {
  const byKey = new WeakMap<RelayKey, PreparedHeaders>()

  function recordOf(key: RelayKey, cors: CorsPolicy): Record<string, string> {
    const headers = responseHeaders(laterSource, cors)
    const policy = limits.policyOf(key)
    if (policy !== null) headers['ratelimit-policy'] = policy
    headers['x-gatehouse-cache'] = 'miss' // unless all of the answer came from the cache
    return headers
  }

  function prepare(key: RelayKey): PreparedHeaders {
    const prepared = {
      any: new Headers(recordOf(key, anyOrigin)),
      omit: new Headers(recordOf(key, omitCors)),
    }
    byKey.set(key, prepared)
    return prepared
  }

  return (key: RelayKey, cors: CorsPolicy): Headers | Record<string, string> => {
    const { kind } = cors
    if (kind !== 'any' && kind !== 'omit') return recordOf(key, cors)
    return (byKey.get(key) ?? prepare(key))[kind]
  }
}

/** Prepared headers get the request id when they are used. */
const laterSource: RequestSource = { requestId: '' }

/** Returns the headers that every response of the relay has. */
export function responseHeaders({ requestId }: RequestSource, cors: CorsPolicy): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
  addCorsHeaders(headers, cors)
  return headers
}

/** Returns the response to a request that was rejected before its calls were looked at. */
export function errorResponse(
  source: RequestSource,
  status: number,
  error: RpcError,
  cors: CorsPolicy,
  moreHeaders: Readonly<Record<string, string>> = {},
): Response {
  return new Response(errorAnswer('null', rpcErrorText(error)), {
    status,
    headers: { ...responseHeaders(source, cors), ...moreHeaders },
  })
}

/** A response of this length and its head still fit into the 16 kB that Bun buffers before it sends. */
const bufferedBytes = 12_288

/**
 * Returns the body of a response that is made after the handler of its request returned. Of a long text Bun would send
 * each name and each value of the head by itself (oven-sh/bun#41341), which takes forty system calls instead of two; of
 * a stream it sends the head at once.
 */
export function deferredBody(body: Body | null): Body | ReadableStream<Uint8Array> | null {
  if (body === null || body.length < bufferedBytes / 3) return body
  return Buffer.byteLength(body) < bufferedBytes ? body : streamOf(body)
}

type Body = string | Uint8Array<ArrayBuffer>

function streamOf(body: Body): ReadableStream<Uint8Array> {
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(controller) {
      controller.write(body)
      controller.end()
    },
  }
  // The types of browsers, which know no direct sources, hide Bun's.
  return new ReadableStream(source as unknown as UnderlyingDefaultSource<Uint8Array>)
}
