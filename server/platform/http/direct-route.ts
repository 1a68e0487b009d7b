import type { RequestFacts } from './request-facts.ts'

/**
 * Addresses that are answered beside the router, whose work would be felt there. Their answers are not completed at
 * the edge: they bring all their headers, `x-request-id` among them.
 */
export interface DirectRoute {
  /** What its paths begin with, for instance `/rpc/`. No route of the router begins with it. */
  readonly prefix: string
  /** For metrics and logs. */
  readonly template: string
  /** Null: the request became a WebSocket. */
  answer(request: Request, facts: RequestFacts): Response | null | Promise<Response | null>
}

export function findDirect(routes: readonly DirectRoute[], url: string): DirectRoute | null {
  const pathStart = url.indexOf('/', 'https://'.length)
  for (const route of routes) {
    if (url.startsWith(route.prefix, pathStart)) return route
  }
  return null
}
