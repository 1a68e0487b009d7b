import * as z from 'zod/mini'

import { IdentityName, type InvitationRefusal } from './invitations.ts'
import { PlanName } from './plans.ts'
import { returnPathChars, returnPathPattern } from './return-path.ts'
import { email, idText, lines, matching, nameText, text } from './text.ts'

/** `operator` runs the installation; `account` owns keys. An operator is an account, too. */
export const Role = z.enum(['account', 'operator'])
export type Role = z.infer<typeof Role>

/** A team is an account that nobody signs in to; see `teams.ts`. */
export type AccountKind = 'person' | 'team'

/**
 * `pending`: it may sign in and see that an operator has to approve it, and do nothing else. `disabled`: nobody can sign in
 * as it, and its keys and agents are refused.
 */
export const accountStates = ['active', 'pending', 'disabled'] as const
export const AccountState = z.enum(accountStates)
export type AccountState = z.infer<typeof AccountState>

/**
 * What happens when somebody signs in for the first time: they get an account, an account that waits for an
 * operator's approval, an account if they were invited, or none.
 */
export const signUpPolicies = ['open', 'approval', 'invitation', 'closed'] as const
export type SignUpPolicy = (typeof signUpPolicies)[number]

/** External accounts with which people sign in; `oidc` is the provider of OpenID Connect that the operator chose. */
export const providers = ['github', 'google', 'oidc'] as const
export const Provider = z.enum(providers)
export type Provider = z.infer<typeof Provider>

/**
 * What proving an identity is for: to get in, to join one more identity to the account, or to make the session
 * fresh again before something that needs it, such as showing a key.
 */
export const Purpose = z.enum(['sign_in', 'link', 'confirm'])
export type Purpose = z.infer<typeof Purpose>

/** Any letter case: one key is one account, however a wallet writes its address. */
export const WalletAddress = matching(/^0x[0-9a-fA-F]{40}$/, 'an address of 0x and 40 hexadecimal digits')

/** EIP-155. */
export const EvmChainId = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))

/** Asks for the message that the wallet is to sign. */
export const WalletChallengeRequest = z.strictObject({
  address: WalletAddress,
  chainId: EvmChainId,
  purpose: z._default(Purpose, 'sign_in'),
})
export type WalletChallengeRequest = z.output<typeof WalletChallengeRequest>

/** `message` is EIP-4361 text; it is good for one signature within ten minutes. */
export const WalletChallenge = z.object({ message: z.string(), expiresAt: z.int() })
export type WalletChallenge = z.infer<typeof WalletChallenge>

/** The message as it was given, and the wallet's signature of it (`personal_sign`). */
export const WalletProof = z.strictObject({
  message: lines({ max: 2_000 }),
  signature: matching(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, 'a signature of at most 4096 bytes in hexadecimal'),
})
export type WalletProof = z.infer<typeof WalletProof>

/** What a proof of identity led to. */
export const SignInResult = z.object({ accountId: z.string(), role: Role, isNewAccount: z.boolean() })
export type SignInResult = z.infer<typeof SignInResult>

/** A page of this site. */
export const ReturnPath = matching(returnPathPattern, 'a path on this site such as /api-keys').check(
  z.maxLength(returnPathChars),
)

export const ProviderStart = z.strictObject({ purpose: Purpose, returnTo: z._default(ReturnPath, '/') })
export type ProviderStart = z.output<typeof ProviderStart>

/** Where the browser has to go. */
export interface ProviderRedirect {
  readonly location: string
}

/** Why a sign-in at a provider came back without success; in `?problem=` of the sign-in page. */
export type ProviderProblem =
  | 'denied'
  | 'provider_failed'
  /** Nobody could be sent there. */
  | 'provider_unreachable'
  | 'identity_taken'
  | 'other_account'
  /** It took too long, was used already, or was begun in another browser. */
  | 'sign_in_over'
  | 'too_many_attempts'
  /** The installation takes no new accounts. */
  | 'sign_up_closed'
  /** An operator has disabled the account. */
  | 'account_disabled'
  /** It takes those who were invited. */
  | 'invitation_needed'
  | InvitationRefusal

export const SetupClaim = z.strictObject({ token: idText(200) })

/** Details that a person chose to share. Nothing of it is ever used to find or join accounts. */
export const ContactDetails = z
  .strictObject({
    name: z._default(z.nullable(nameText(100)), null),
    email: z._default(z.nullable(email()), null),
  })
  .check(
    z.refine(
      (contact) => contact.name !== null || contact.email !== null,
      'a name, an e-mail address, or both',
    ),
  )
export type ContactDetails = z.output<typeof ContactDetails>

/** How one can get in here. Holds no secret and no address of a provider. */
export interface SignInOptions {
  /** Chains on which the signature of a contract wallet can be checked (EIP-1271). */
  readonly contractWalletChains: readonly number[]
  readonly providers: Readonly<Record<Provider, boolean>>
  /** What people know the provider of OpenID Connect by; null where there is none. */
  readonly oidcName: string | null
  /** On a loopback address only: the page may offer a key made in the browser. */
  readonly offersThrowawayWallet: boolean
  /** False until there is an operator: the link in the server's output makes one. */
  readonly hasOperator: boolean
  readonly signUp: SignUpPolicy
}

export interface IdentityView {
  readonly id: string
  readonly kind: 'wallet' | Provider
  /**
   * Lower-case address, `eip155:<chain>:<address>` of a contract wallet, or the provider's id of the user: with OpenID Connect
   * `<issuer>#<sub>`.
   */
  readonly subject: string
  /** The provider's name for the user; null for wallets. */
  readonly label: string | null
  readonly linkedAt: number
}

export interface SessionView {
  readonly id: string
  readonly isThisOne: boolean
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  /** For instance `Firefox on Linux`. */
  readonly browser: string
  /** The caller's network, not its address: `198.51.100.0/24`. */
  readonly network: string | null
}

/** The signed-in account, as it sees itself. */
export interface AccountView {
  readonly id: string
  readonly role: Role
  readonly state: AccountState
  readonly createdAt: number
  /** Null unless the person opted in. */
  readonly contact: ContactDetails | null
  readonly identities: readonly IdentityView[]
  /** Until when the session counts as fresh. */
  readonly freshUntil: number
}

/** Any account, as operators see it. */
export interface ListedAccount extends Omit<AccountView, 'freshUntil'> {
  readonly kind: AccountKind
  /** The name of its plan; null: it has none, and no caps but those of the installation. */
  readonly plan: string | null
  /** When it was used in a browser; null: nobody has signed in yet. */
  readonly lastSeenAt: number | null
}

/** What a list of accounts is sorted by: the newest, the last seen, or the busiest of the last seven days first. */
export const accountOrders = ['created', 'seen', 'calls', 'credits'] as const

/** A page of accounts. `search`: a part of an id, an identity, a name or an e-mail address, or the whole id of a key. */
export const AccountsQuery = z.strictObject({
  search: z._default(text({ min: 0, max: 200 }), ''),
  state: z.optional(AccountState),
  order: z._default(z.enum(accountOrders), 'created'),
  cursor: z.optional(idText(200)),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
})
export type AccountsQuery = z.output<typeof AccountsQuery>

/** For how many days a list of accounts shows the calls of each. */
export const accountDays = 14

/** An account in a list for operators, with its use as far as it is rolled up, which is some minutes behind. */
export interface AccountRow extends ListedAccount {
  readonly queryKeys: number
  readonly apiKeys: number
  /** Of the last seven days. */
  readonly calls: number
  readonly credits: number
  /** Calls of each of the last `accountDays` days, by UTC; today's is the last. */
  readonly days: readonly number[]
}

export interface AccountsPage {
  readonly accounts: readonly AccountRow[]
  /** Null: there are no more. */
  readonly nextCursor: string | null
  /** Of the whole installation. */
  readonly counts: Readonly<Record<AccountState, number>>
}

/** What disabling or enabling an account led to. */
export interface AccountChange {
  readonly id: string
  /** How many keys of both kinds, and agents, were refused or work again. */
  readonly keys: number
  /** False: a process of the installation has not confirmed it yet. */
  readonly propagated: boolean
}

/** An account that is there before its owner signs in for the first time. */
export const NewAccount = z.strictObject({ identity: IdentityName })

/** Another plan of an account; null: none. */
export const AccountPlanChange = z.strictObject({ account: idText(200), plan: z.nullable(PlanName) })

export const AccountRoleChange = z.strictObject({ account: idText(200), role: Role })

/** Names an account by its id, by a wallet's address, or by an identity such as `github:583231`. */
export const NamedAccount = z.strictObject({ account: idText(200) })

/** Accounts that wait for approval: how many there are, and those that have waited longest. */
export interface PendingAccounts {
  readonly count: number
  readonly accounts: readonly ListedAccount[]
}
