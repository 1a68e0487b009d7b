import { openToAllSites } from '../platform/http/response-headers.ts'

/** Status widgets on pages of any site read these addresses, which need no sign-in. */
const openAddress = /^\/(?:health|badge)\//

export const isOpenAddress = (path: string): boolean => openAddress.test(path)

/** A browser may reuse the answer to a preflight for a day: it depends on nothing. */
const preflightAgeSec = '86400'

/** Returns the answer to a CORS preflight of an open address, which allows every header but credentials. */
export const openPreflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToAllSites,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*',
      'access-control-max-age': preflightAgeSec,
    },
  })

/** Opens a refusal to the page that asked: without this it would see a network error instead of the reason. */
export function openRefusal(refusal: Response): Response {
  for (const [name, value] of Object.entries(openToAllSites)) refusal.headers.set(name, value)
  return refusal
}
