import { Elysia } from 'elysia'

import { WalletChallengeRequest, WalletProof } from '../../../shared/accounts.ts'
import type { SignInResult } from '../../../shared/accounts.ts'
import { invitationRefusals } from '../../../shared/invitations.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { fault } from '../../platform/fault.ts'
import { mintSecret } from '../../platform/secrets.ts'
import type { Accounts } from '../accounts.ts'
import type { SignInOutcome } from '../sign-in-outcome.ts'
import type { SessionCookies } from '../session-cookies.ts'

/** Signing in with a wallet: a message for it to sign, and the signature. */
export function walletRoutes(accounts: Accounts, sessionCookies: SessionCookies) {
  async function answerTo(outcome: SignInOutcome): Promise<Response> {
    switch (outcome.kind) {
      case 'signed_in': {
        const { accountId, isNewAccount, secret } = outcome
        const session = await accounts.session(secret)
        const result: SignInResult = { accountId, role: session?.role ?? 'account', isNewAccount }
        return Response.json(result, { headers: sessionCookies.admitted(secret) })
      }
      case 'linked': {
        const { accountId, role } = outcome
        const result: SignInResult = { accountId, role, isNewAccount: false }
        return Response.json(result, { headers: sessionCookies.over() })
      }
      case 'identity_taken':
        throw fault('conflict', 'This identity belongs to another account already')
      case 'other_account':
        throw fault('forbidden', 'This identity is not one of the account that is signed in')
      case 'sign_up_closed':
        throw fault('forbidden', 'This installation takes no new accounts: ask its operator')
      case 'account_disabled':
        throw fault('forbidden', 'This account is disabled: ask the operator of this installation')
      case 'invitation_needed':
        throw fault('forbidden', 'A new account needs an invitation here: ask the operator for a link')
      default:
        throw fault('forbidden', invitationRefusals[outcome.kind])
    }
  }

  return new Elysia({ name: 'wallet sign-in' })
    .post(
      '/auth/wallet/challenge',
      async ({ body, request }) => {
        const context = await sessionCookies.ownPageContextOf(request)
        const preAuthSecret = mintSecret('')
        const challenge = await accounts.challenge(body, context, preAuthSecret)
        return Response.json(challenge, { headers: sessionCookies.begun(preAuthSecret) })
      },
      { parse: jsonBody(), body: WalletChallengeRequest },
    )
    .post(
      '/auth/wallet/verify',
      async ({ body, request }) =>
        answerTo(await accounts.proveWallet(body, await sessionCookies.ownPageContextOf(request))),
      { parse: jsonBody(), body: WalletProof },
    )
}
