import type { AccountView, IdentityView, Provider, ProviderProblem } from '../../shared/accounts.ts'
import { invitationRefusals } from '../../shared/invitations.ts'
import { shortAddress } from './wallets/wallet.ts'

/** `oidcName`: what the operator calls the provider of OpenID Connect; null where there is none. */
export const providerName = (provider: Provider, oidcName: string | null): string =>
  ({ github: 'GitHub', google: 'Google', oidc: oidcName ?? 'OpenID Connect' })[provider]

/** What went wrong at a provider, and what to do about it. */
export const providerProblems: Readonly<Record<ProviderProblem, string>> = {
  denied: 'You declined at the provider, or closed its page. Nothing was done.',
  provider_failed:
    'The provider did not tell who you are. Try again; if it goes on, an operator finds the reason in the server’s log.',
  provider_unreachable:
    'The provider cannot be asked just now, so nothing was done. Try again in a moment, or sign in another way; an operator finds the reason under Settings and in the server’s log.',
  identity_taken: 'This identity belongs to another account already, so it was not linked.',
  other_account: 'This identity is not one of your account, so it does not confirm who you are.',
  sign_in_over: 'The sign-in took too long or was opened in another browser. Please sign in again.',
  too_many_attempts:
    'There were too many attempts to sign in from your network. Wait a minute, then sign in again.',
  sign_up_closed: 'This installation takes no new accounts. Ask its operator.',
  account_disabled: 'This account is disabled. Ask the operator of this installation.',
  invitation_needed: 'A new account needs an invitation here. Ask the operator for a link.',
  ...invitationRefusals,
}

/** Null for any other text. */
export const providerProblemText = (problem: unknown): string | null =>
  typeof problem === 'string' && Object.hasOwn(providerProblems, problem)
    ? providerProblems[problem as ProviderProblem]
    : null

/** `0x…` of a wallet, in lower case; null for other identities. */
export const walletAddressOf = ({ kind, subject }: Pick<IdentityView, 'kind' | 'subject'>): string | null =>
  kind === 'wallet' ? subject.slice(-42) : null

/** How one identity is called in a line of text. */
export function identityName(identity: Omit<IdentityView, 'id' | 'linkedAt'>): string {
  const address = walletAddressOf(identity)
  return address === null ? (identity.label ?? shortSubject(identity)) : shortAddress(address)
}

/** With OpenID Connect the issuer stands before the name already. */
const shortSubject = ({ kind, subject }: Pick<IdentityView, 'kind' | 'subject'>): string =>
  kind === 'oidc' ? subject.slice(subject.indexOf('#') + 1) : subject

/** With OpenID Connect the host of its issuer: one that was set up before may be called something else now. */
export const identityKindName = ({ kind, subject }: Pick<IdentityView, 'kind' | 'subject'>): string =>
  kind === 'wallet' ? 'Wallet' : providerName(kind, URL.parse(subject)?.host ?? null)

/** How an account is called: by the name that it shares, or by its first identity. */
export function accountName({ id, contact, identities }: Omit<AccountView, 'freshUntil'>): string {
  const [first] = identities
  return contact?.name ?? (first === undefined ? id : identityName(first))
}
