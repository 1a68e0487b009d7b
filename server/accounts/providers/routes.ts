import { Elysia } from 'elysia'
import * as z from 'zod/mini'

import { Provider, ProviderStart, ReturnPath } from '../../../shared/accounts.ts'
import type { ProviderProblem, ProviderRedirect } from '../../../shared/accounts.ts'
import { text } from '../../../shared/text.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { mintSecret } from '../../platform/secrets.ts'
import type { Accounts } from '../accounts.ts'
import type { ProviderSignIn } from '../sign-in.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import type { SessionCookies } from '../session-cookies.ts'
import { pageAfterRefusal, signInPageAfter } from './refused-return.ts'

const atProvider = z.object({ provider: Provider })

/** Providers add parameters of their own to these. */
const ProviderReturn = z.object({
  code: z.optional(text({ min: 0, max: 4_000 })),
  state: z.optional(text({ min: 0, max: 200 })),
  error: z.optional(text({ min: 0, max: 200 })),
  iss: z.optional(text({ min: 0, max: 500 })),
})

/**
 * Signing in at providers. A GET only begins to sign in, which any site may make a browser do: to add an
 * identity to an account, or to confirm who one is, takes a POST of one of our own pages.
 */
export function providerRoutes(
  accounts: Accounts,
  sessionCookies: SessionCookies,
  address: () => PublicAddress,
) {
  async function begin(provider: Provider, start: ProviderStart, context: SignInRequest) {
    const preAuthSecret = mintSecret('')
    const url = await accounts.startAtProvider(provider, start, context, preAuthSecret)
    return { location: url.href, headers: sessionCookies.begun(preAuthSecret) }
  }

  const headersAfter = ({ outcome }: ProviderSignIn): Headers =>
    outcome.kind === 'signed_in' ? sessionCookies.admitted(outcome.secret) : sessionCookies.over()

  return new Elysia({ name: 'provider sign-in' })
    .get(
      '/auth/:provider',
      async ({ params: { provider }, query: { returnTo }, request }) => {
        const elsewhere = sameAtMainAddress(request, address())
        if (elsewhere !== null) return redirect(elsewhere, new Headers())
        const start: ProviderStart = { purpose: 'sign_in', returnTo }
        const context = await sessionCookies.contextOf(request)
        return begin(provider, start, context).then(
          ({ location, headers }) => redirect(location, headers),
          (refused: unknown) => pageAfterRefusal(request, refused, returnTo),
        )
      },
      { params: atProvider, query: z.strictObject({ returnTo: z._default(ReturnPath, '/') }) },
    )
    .post(
      '/auth/:provider',
      async ({ params: { provider }, body, request }) => {
        const { location, headers } = await begin(
          provider,
          body,
          await sessionCookies.ownPageContextOf(request),
        )
        const answer: ProviderRedirect = { location }
        return Response.json(answer, { headers })
      },
      { params: atProvider, parse: jsonBody(), body: ProviderStart },
    )
    .get(
      '/auth/callback/:provider',
      async ({ params: { provider }, query, request }) => {
        const context = await sessionCookies.contextOf(request)
        return accounts.returnFromProvider(provider, query, context).then(
          (back) => redirect(pageAfter(back), headersAfter(back)),
          // Where somebody was going stands beside the state, which is unread, unknown or used up.
          (refused: unknown) => pageAfterRefusal(request, refused, '/'),
        )
      },
      { params: atProvider, query: ProviderReturn },
    )
}

/** 303: whatever the method was, the browser goes there with GET. */
function redirect(location: string, headers: Headers): Response {
  headers.set('location', location)
  return new Response(null, { status: 303, headers })
}

/**
 * Providers send browsers back to the one address that is registered there, and cookies do not follow from one name
 * of this installation to another: a sign-in has to begin there, too.
 */
function sameAtMainAddress(request: Request, { origin, origins }: PublicAddress): string | null {
  const { host, pathname, search } = new URL(request.url)
  if (host === new URL(origin).host) return null
  const isOurs = origins.some((own) => new URL(own).host === host)
  return isOurs ? `${origin}${pathname}${search}` : null
}

/** Returns the page after a sign-in at a provider; the parameter `problem` names what went wrong. */
function pageAfter({ outcome, purpose, returnTo }: ProviderSignIn): string {
  if (outcome.kind === 'signed_in' || outcome.kind === 'linked') return returnTo
  const problem: ProviderProblem = outcome.kind
  if (purpose === 'sign_in') return signInPageAfter(problem, returnTo)
  return `${returnTo}${returnTo.includes('?') ? '&' : '?'}problem=${problem}`
}
