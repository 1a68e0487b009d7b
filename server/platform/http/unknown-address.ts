import { type Fault, fault } from '../fault.ts'
import { type RouteAddress, allowedMethods } from './allowed-methods.ts'
import { faultResponse } from './faults.ts'

/**
 * The answer at an address without a route for the method: the address without trailing slashes where that has one, a
 * page with links for a browser, and for programs the fault, which says what methods there are.
 */
export function answerUnknownAddress(
  request: Request,
  path: string,
  routes: readonly RouteAddress[],
): Response | Fault {
  const allowed = allowedMethods(routes, path)
  if (allowed.length > 0) {
    const allow = allowed.join(', ')
    return fault('method_not_allowed', `This address answers to ${allow} only`, { headers: { allow } })
  }
  const bare = withoutTrailingSlashes(path)
  if (bare !== null && allowedMethods(routes, bare).length > 0) {
    const location = bare + new URL(request.url).search
    return new Response(null, { status: 308, headers: { location } })
  }
  return nothingAt(request, fault('not_found', 'There is nothing at this address'))
}

/** Returns a page with links for a browser, and for programs the fault. */
export const nothingAt = (request: Request, nothing: Fault): Response | Fault =>
  asksForPage(request) ? pageOf(nothing) : nothing

/** Null where there is nothing to take away. `//host` would lead to another site. */
function withoutTrailingSlashes(path: string): string | null {
  if (!path.endsWith('/') || path.startsWith('//')) return null
  const bare = path.replace(/\/+$/, '')
  return bare === '' ? null : bare
}

/** Returns true when a browser opens this address, rather than a program. */
export const asksForPage = ({ headers }: Request): boolean =>
  /\btext\/html\b/i.test(headers.get('accept') ?? '')

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not found · Gatehouse</title>
<h1>There is nothing at this address</h1>
<ul>
<li><a href="/">The console</a></li>
<li><a href="/services">Services and their health</a></li>
<li><a href="/reference">API reference</a></li>
</ul>
</html>
`

function pageOf(nothing: Fault): Response {
  const { status, headers } = faultResponse(nothing)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
  return new Response(page, { status, headers })
}
