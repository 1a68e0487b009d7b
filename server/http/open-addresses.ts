import { openToAllSites } from '../platform/http/response-headers.ts'

/** Status widgets on pages of any site read these addresses, which need no sign-in. */
const openAddress = /^\/(?:health|badge)\//

export const isOpenAddress = (path: string): boolean => openAddress.test(path)

/**
 * Addresses that take an API key. A preflight carries no key, so that it is answered for every page; what it allows is
 * read only by pages of the key's Allowed Domains (`openToPage`).
 */
const keyAddress = /^\/account\//

/** A browser may reuse the answer to a preflight for a day: it depends on nothing. */
const preflightAgeSec = '86400'

/** Returns the answer to a CORS preflight; null where no page of another site may ask. */
export function preflightAnswer(path: string): Response | null {
  if (isOpenAddress(path)) return preflight('GET, HEAD', '*')
  // `*` does not stand for Authorization.
  if (keyAddress.test(path)) return preflight('GET, HEAD, POST, PATCH, DELETE', 'authorization, content-type, idempotency-key') // prettier-ignore
  return null
}

const preflight = (methods: string, headers: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToAllSites,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers,
      'access-control-max-age': preflightAgeSec,
    },
  })

/** Opens a refusal to the page that asked: without this it would see a network error instead of the reason. */
export function openRefusal(refusal: Response): Response {
  for (const [name, value] of Object.entries(openToAllSites)) refusal.headers.set(name, value)
  return refusal
}

/** Opens an answer to the pages of one origin. */
export function openToPage(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', '*') // such as `Link`; it stands for all of them where there are no credentials
  headers.set('cross-origin-resource-policy', 'cross-origin')
  headers.append('vary', 'Origin')
}
