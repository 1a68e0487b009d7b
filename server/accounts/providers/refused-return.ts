import type { ProviderProblem } from '../../../shared/accounts.ts'
import type { FaultCode } from '../../../shared/faults.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { faultResponse } from '../../platform/http/faults.ts'
import { asksForPage } from '../../platform/http/unknown-address.ts'
import { Fault } from '../../platform/fault.ts'

/** What the page to sign in says about a refusal; any other is answered as everywhere. */
const problems: Readonly<Partial<Record<FaultCode, ProviderProblem>>> = {
  bad_request: 'sign_in_over',
  unauthorized: 'sign_in_over',
  stale_session: 'sign_in_over',
  rate_limited: 'too_many_attempts',
  upstream_error: 'provider_unreachable',
}

/** The console's page to sign in, which names what went wrong, and leads to `returnTo` once somebody signs in there. */
export const signInPageAfter = (problem: ProviderProblem, returnTo: string): string =>
  `/sign-in?${new URLSearchParams({ problem, ...(returnTo !== '/' && { returnTo }) })}`

/**
 * The answer to somebody whose way to a provider and back was refused, instead of an ErrorResponse, which nobody can
 * do anything with: a page with the status of the refusal that goes on to the console's page to sign in. Throws what
 * was thrown when it is another thing, or when no browser asks for a page.
 */
export function pageAfterRefusal(request: Request, thrown: unknown, returnTo: string): Response {
  const problem = thrown instanceof Fault ? problems[thrown.code] : undefined
  if (!(thrown instanceof Fault) || problem === undefined || !asksForPage(request)) throw thrown
  const { status, headers } = faultResponse(thrown)
  // A redirect could not have this status. Browsers that do not go on by themselves show the link.
  const path = signInPageAfter(problem, returnTo)
  headers.set('refresh', `0; url=${path}`)
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(pageTo(path), { status, headers })
}

const pageTo = (path: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in · Gatehouse</title>
<p>This sign-in did not come to its end. <a href="${escapeHtml(path)}">Sign in again</a></p>
</html>
`
