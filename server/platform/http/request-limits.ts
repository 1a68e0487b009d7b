import { type Fault, fault } from '../fault.ts'

/** Bounds that hold for every request before any route sees it. */
export const requestLimits = {
  urlChars: 8_192,
  /** The most bytes of an ordinary JSON body; see `jsonBody`. */
  bodyBytes: 262_144,
  /** The most bytes of an archive that is imported. */
  archiveBytes: 4_194_304,
  /** The most that any route accepts. */
  anyBodyBytes: 16_777_216,
  jsonDepth: 64,
} as const

/** The parts of a request that the rules below look at; `host` is a header value. */
interface RequestLine {
  host: string | null
  url: string
}

/**
 * RFC 9112, 3.2 wants 400 for several Host headers (Bun joins them with a comma) and for a malformed one, with which
 * `request.url` is only a path.
 */
const plausibleHost = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

const keyInQueryText =
  'A key must not stand in the address, where others can read it: send it as Authorization: Bearer <API key>, and rotate this one'

const queryKeyInQueryText =
  'A query key is not read from the query: its place is /rpc/{endpoint}/{key}, or Authorization: Bearer <query key>, x-api-key or the password of Basic authentication at /rpc/{endpoint}'

/** Returns why a request is refused before any route sees it, or null. */
export function refusal({ host, url }: RequestLine): Fault | null {
  if (host !== null && !plausibleHost.test(host)) {
    return fault('bad_request', 'The Host header must hold one host name or address')
  }
  if (url.length > requestLimits.urlChars) {
    return fault('uri_too_long', `The URL must have at most ${requestLimits.urlChars} characters`)
  }
  if (!hasKeyInQuery(url)) return null
  return fault('bad_request', relayAddress.test(url) ? queryKeyInQueryText : keyInQueryText)
}

/** Returns why a request to a route is refused for the length that it declares, or null. */
export function lengthRefusal(contentLength: string | null): Fault | null {
  const isTooLong = contentLength !== null && Number(contentLength) > requestLimits.anyBodyBytes
  return isTooLong ? bodyTooLarge(requestLimits.anyBodyBytes) : null
}

export const bodyTooLarge = (maxBytes: number): Fault =>
  fault('payload_too_large', `The body must have at most ${maxBytes} bytes`)

/** Names under which other services take keys in the query. */
const keyParameters = new Set([
  'access_token',
  'api-key',
  'api_key',
  'apikey',
  'authorization',
  'bearer',
  'token',
])

const looksLikeKey = /(?:g[aq]k|ga[tr])_[0-9A-Za-z]{16}/

const relayAddress = /^[a-z]+:\/\/[^/]+\/rpc\//

const nodePath = /^[a-z]+:\/\/[^/]+\/rpc\/[^/]+\//

/**
 * Whether an address has a key in its query. Addresses are written down on the way, by proxies, browsers and in
 * `Referer` headers (RFC 6750, section 2.3). What follows `/rpc/{endpoint}/` is for nodes, whose parameters have names of
 * their own.
 */
export function hasKeyInQuery(url: string): boolean {
  const begin = url.indexOf('?')
  if (begin < 0) return false
  const isForNodes = nodePath.test(url.slice(0, begin))
  for (const [name, value] of new URLSearchParams(url.slice(begin + 1))) {
    if (looksLikeKey.test(value) || looksLikeKey.test(name)) return true
    if (!isForNodes && keyParameters.has(name.toLowerCase())) return true
  }
  return false
}
