import { Elysia } from 'elysia'

import { SetupClaim } from '../../shared/accounts.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { fault } from '../platform/fault.ts'
import type { Accounts } from './accounts.ts'
import type { SessionOf } from './call-context.ts'
import { providerRoutes } from './providers/routes.ts'
import { createVisits } from './visits.ts'
import { walletRoutes } from './wallet/routes.ts'

interface AccountRoutesOptions {
  readonly accounts: Accounts
  readonly cookies: Cookies
  readonly sessionOf: SessionOf
  readonly address: () => PublicAddress
}

/** Signing in and out, and becoming the first operator: everything that sets a cookie, or goes with doing so. */
export function accountRoutes({ accounts, cookies, sessionOf, address }: AccountRoutesOptions) {
  const visits = createVisits(cookies, sessionOf, address)

  return new Elysia({ name: 'accounts' })
    .use(walletRoutes(accounts, visits))
    .use(providerRoutes(accounts, visits, address))
    .post('/auth/sign-out', async ({ request }) => {
      const visit = await visits.ofOwnPage(request)
      if (visit.session !== null) await accounts.own.signOut(visit.session, visit)
      return new Response(null, { status: 204, headers: visits.signedOut() })
    })
    .post(
      '/auth/setup',
      async ({ body, request }) => {
        const visit = await visits.ofOwnPage(request)
        if (visit.session === null)
          throw fault('unauthorized', 'Sign in first; the link then makes you an operator')
        await accounts.claimSetup(visit.session, body.token, visit)
        return Response.json({ role: 'operator' }, { headers: { 'cache-control': 'no-store' } })
      },
      { parse: jsonBody(), body: SetupClaim },
    )
}
