import type {
  Provider,
  ProviderRedirect,
  ProviderStart,
  SignInResult,
  WalletChallenge,
  WalletChallengeRequest,
  WalletProof,
} from '../../shared/accounts.ts'
import type { InvitationAnswer } from '../../shared/invitations.ts'
import type { ErrorResponse } from '../../shared/faults.ts'
import { bareAnswerText, ReportedError, unreachableText } from '../reported-error.ts'
import { forgetChoice } from '../teams/chosen-team.ts'

/*
 * What sets cookies, or goes with doing so, is no procedure but a REST path of its own. The answers are those of our
 * own server, whose types are the same files: they are not checked again.
 */

/** The server said no; `code` is one of `shared/faults.ts`. */
export class AuthRefusal extends ReportedError {
  override readonly name = 'AuthRefusal'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const challengeWallet = (request: WalletChallengeRequest): Promise<WalletChallenge> =>
  post('/auth/wallet/challenge', request)

export const verifyWallet = (proof: WalletProof): Promise<SignInResult> => post('/auth/wallet/verify', proof)

/** Tells where the browser has to go to link an identity, or to confirm one. */
export const startAtProvider = (provider: Provider, start: ProviderStart): Promise<ProviderRedirect> =>
  post(`/auth/${provider}`, start)

/** Where the browser has to go to sign in. */
export const signInAtProvider = (provider: Provider, returnTo: string): string =>
  `/auth/${provider}?${new URLSearchParams({ returnTo })}`

export const claimSetup = (token: string): Promise<{ role: 'operator' }> => post('/auth/setup', { token })

/** Takes up an invitation: for the next sign-in, or at once for an account that waits. */
export const showInvitation = (token: string): Promise<InvitationAnswer> =>
  post('/auth/invitation', { token })

export async function signOut(): Promise<void> {
  await send('/auth/sign-out', {})
  forgetChoice()
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await send(path, body)
  return (await response.json()) as Answer
}

/** @throws AuthRefusal, and ToldError when no answer comes. */
async function send(path: string, body: object): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new ReportedError(unreachableText, { cause })
  })
  if (response.ok) return response
  const said = refusalIn(await response.json().catch(() => null))
  throw said ?? new ReportedError(bareAnswerText(response.status) ?? unreachableText)
}

/** Read by hand: the page to sign in does without schemas. Null: it is no refusal of the server. */
function refusalIn(body: { error?: Partial<ErrorResponse['error']> } | null): AuthRefusal | null {
  const { code, message } = body?.error ?? {}
  return typeof code === 'string' && typeof message === 'string' ? new AuthRefusal(code, message) : null
}
