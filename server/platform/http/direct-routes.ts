import type { RequestFacts } from './request-facts.ts'

/**
 * Addresses that are answered beside the router, whose work would be felt there. Their answers are not completed at
 * the edge: they bring all their headers, `x-request-id` among them.
 */
export interface DirectRoute {
  /** The prefix of its paths, for instance `/rpc/`. No route of the router begins with it. */
  readonly prefix: string
  /** The name of the route in metrics and logs. */
  readonly template: string
  /** Null: the request became a WebSocket. */
  answer(request: Request, facts: RequestFacts): Response | null | Promise<Response | null>
}

/** The path of an address, as it was sent. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', 'https://'.length)
  const end = url.indexOf('?', start)
  return url.slice(start, end === -1 ? undefined : end)
}

/** The same without a slash at its end, which people add to an address when they configure a client. */
export function barePathOf(url: string): string {
  const path = pathOf(url)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

export function findDirect(routes: readonly DirectRoute[], url: string): DirectRoute | null {
  const pathStart = url.indexOf('/', 'https://'.length)
  for (const route of routes) {
    if (url.startsWith(route.prefix, pathStart)) return route
  }
  return null
}

/**
 * A look-up that is asked so often that the router's own work would be felt. It is answered before the router when its
 * path has the plain form; every other form, and every mistake, goes to the ordinary route of the same address.
 */
export interface HotRoute {
  /** The prefix of its paths, for instance `/health/`. */
  readonly prefix: string
  /** The form of what may follow: one segment without anything that needs decoding. */
  readonly segment: RegExp
  /** Template for metrics and logs, that of the ordinary route. */
  readonly template: string
  answer(segment: string, request: Request): Response
}

/** The hot route that a request is for, with its segment; null for all others. */
export function findHot(
  routes: readonly HotRoute[],
  request: Request,
): { readonly route: HotRoute; readonly segment: string } | null {
  if (request.method !== 'GET') return null
  const { url } = request
  const pathStart = url.indexOf('/', 'https://'.length)
  for (const route of routes) {
    if (!url.startsWith(route.prefix, pathStart)) continue
    const segment = url.slice(pathStart + route.prefix.length)
    if (route.segment.test(segment)) return { route, segment }
  }
  return null
}
