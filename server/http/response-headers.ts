/** What every response of the API carries. */
export interface ResponseHeaders {
  /** Never otherwise. */
  fixed: HeaderList
  /** Unless the response brings its own, as a page or an answer for other sites does. */
  usual: HeaderList
}
type HeaderList = readonly (readonly [name: string, value: string])[]

const usual: HeaderList = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
]

const fixed: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]

const twoYearsSec = 63_072_000

/** `isTls`: browsers reach this installation by https, directly or through a proxy. */
export function securityHeaders(isTls: boolean): ResponseHeaders {
  if (!isTls) return { fixed, usual }
  return {
    usual,
    fixed: [...fixed, ['strict-transport-security', `max-age=${twoYearsSec}; includeSubDomains`]],
  }
}

export function addHeaders(headers: Headers, additions: ResponseHeaders): void {
  for (const [name, value] of additions.fixed) headers.set(name, value)
  for (const [name, value] of additions.usual) {
    if (!headers.has(name)) headers.set(name, value)
  }
}

/** For answers that pages of any site may read: CORS without credentials. */
export const openToAllSites = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const
