/** The headers of every response of the API. */
export interface ResponseHeaders {
  /** Headers that no response has otherwise. */
  fixed: HeaderList
  /** Headers for responses that do not bring their own, as a page or an answer for other sites does. */
  usual: HeaderList
  /** The headers for connections by https only. */
  transport: HeaderList
}
type HeaderList = readonly (readonly [name: string, value: string])[]

const usual: HeaderList = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
]

const permissions = [
  'permissions-policy',
  'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
] as const

const fixed: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  permissions,
]

const twoYearsSec = 63_072_000

/** `isTls`: browsers reach this installation by https, directly or through a proxy. */
export function securityHeaders(isTls: boolean): ResponseHeaders {
  const transport: HeaderList = isTls
    ? [['strict-transport-security', `max-age=${twoYearsSec}; includeSubDomains`]]
    : []
  return { fixed, usual, transport }
}

export function addHeaders(headers: Headers, additions: ResponseHeaders): void {
  for (const [name, value] of additions.transport) headers.set(name, value)
  if (isPrepared(headers)) return
  for (const [name, value] of additions.fixed) headers.set(name, value)
  for (const [name, value] of additions.usual) {
    if (!headers.has(name)) headers.set(name, value)
  }
}

/**
 * Headers for a route that is asked very often: with all that is added to every response, which one by one costs a
 * sixth of the time that such a request takes.
 */
export function preparedHeaders(own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(own)
  addHeaders(headers, securityHeaders(false))
  return headers
}

/** Responses copy the headers that they are made of: these can be told by their content only. */
const isPrepared = (headers: Headers): boolean => headers.get(permissions[0]) === permissions[1]

/** The headers of answers that pages of any site may read: CORS without credentials. */
export const openToAllSites = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const
