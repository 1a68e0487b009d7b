import { Elysia } from 'elysia'

import { SetupClaim } from '../../shared/accounts.ts'
import { ShownInvitation } from '../../shared/invitations.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { fault } from '../platform/fault.ts'
import type { Accounts } from './accounts.ts'
import type { SessionOf } from './call-context.ts'
import { providerRoutes } from './providers/routes.ts'
import { createSessionCookies } from './session-cookies.ts'
import { walletRoutes } from './wallet/routes.ts'

interface AccountRoutesOptions {
  readonly accounts: Accounts
  readonly cookies: Cookies
  readonly sessionOf: SessionOf
  readonly address: () => PublicAddress
}

/** Signing in and out, and becoming the first operator: everything that sets a cookie, or goes with doing so. */
export function accountRoutes({ accounts, cookies, sessionOf, address }: AccountRoutesOptions) {
  const sessionCookies = createSessionCookies(cookies, sessionOf, address)

  return new Elysia({ name: 'accounts' })
    .use(walletRoutes(accounts, sessionCookies))
    .use(providerRoutes(accounts, sessionCookies, address))
    .post('/auth/sign-out', async ({ request }) => {
      const context = await sessionCookies.ownPageContextOf(request)
      if (context.session !== null) await accounts.own.signOut(context.session, context)
      return new Response(null, { status: 204, headers: sessionCookies.signedOut() })
    })
    .post(
      '/auth/setup',
      async ({ body, request }) => {
        const context = await sessionCookies.ownPageContextOf(request)
        if (context.session === null)
          throw fault('unauthorized', 'Sign in first; the link then makes you an operator')
        await accounts.claimSetup(context.session, body.token, context)
        return Response.json({ role: 'operator' }, { headers: { 'cache-control': 'no-store' } })
      },
      { parse: jsonBody(), body: SetupClaim },
    )
    .post(
      '/auth/invitation',
      async ({ body: { token }, request }) => {
        const context = await sessionCookies.ownPageContextOf(request)
        const answer = await accounts.showInvitation(token, context)
        const headers = answer.kind === 'good' ? sessionCookies.invited(token) : sessionCookies.joined()
        return Response.json(answer, { headers })
      },
      { parse: jsonBody(), body: ShownInvitation },
    )
}
