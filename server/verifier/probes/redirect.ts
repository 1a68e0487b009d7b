/** A request that may be answered with a redirect. */
export interface RedirectableRequest {
  readonly url: string
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Returns the request to which an answer redirects, as browsers make it; null where it is no redirect, or one that is not
 * followed: to something that is not HTTP, from https to http, or of a body to another origin. Headers, which may be
 * credentials, go to no other origin. The address still has to pass the guard, as every one.
 */
export function nextHop(
  request: RedirectableRequest,
  status: number,
  location: string | null,
): RedirectableRequest | null {
  if (!redirects.has(status) || location === null) return null
  const from = new URL(request.url)
  const to = URL.parse(location, from)
  if (to === null || !/^https?:$/.test(to.protocol)) return null
  if (from.protocol === 'https:' && to.protocol === 'http:') return null

  const isSameOrigin = to.origin === from.origin
  const becomesGet = status === 303 || (status < 303 && request.method === 'POST')
  const { body, method, headers } = request
  if (body !== undefined && !becomesGet && !isSameOrigin) return null
  return {
    url: to.href,
    method: becomesGet && method !== 'HEAD' ? 'GET' : method,
    headers: isSameOrigin ? headers : {},
    ...(body !== undefined && !becomesGet && { body }),
  }
}
