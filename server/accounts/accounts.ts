/**
 * Accounts: who people are, by which browsers they are signed in, and what they may do.
 *
 * Signing in, in order:
 *  1. `session-cookies.ts` reads the request: the cookie that binds a sign-in to its browser, the session, the own origin.
 *  2. With a wallet (`wallet/`, EIP-4361): the server writes a message, the wallet signs it, and `wallet-sign-in.ts` checks
 *     it; a contract wallet is asked by EIP-1271 and ERC-6492. With GitHub, Google or a provider of OpenID Connect
 *     (`providers/`): a redirect with PKCE and a state, and a code that is exchanged for an identity; `id-token.ts` checks
 *     ID tokens by `jose`, and `oidc-metadata.ts` finds the addresses of a provider by its issuer.
 *  3. What has begun is stored by `pending/store.ts`, and taken once, by the browser that began it.
 *  4. `sign-in.ts` limits attempts, and `sign-in-outcome.ts` turns the proven identity into a session, a linked identity, or a refusal, in one transaction
 *     with its audit entry. Who has no account is admitted by `sign-up/new-accounts.ts`: by the policy and its allow-list
 *     (`sign-up/policy.ts`, `sign-up/allow-list.ts`), or by an invitation (`sign-up/invitations.ts`), which a browser shows
 *     before it signs in (`sign-up/joining.ts`) and keeps in a cookie until then.
 *  5. `sessions/` keeps sessions in memory for five seconds, and tells every process when one ends.
 * Each call (`call-context.ts`): the session's account, its role (`operators.ts`) and whether it is approved become the
 * context of tRPC, whose procedures refuse what the caller may not do. `mutation-limit.ts` limits changes.
 * The first operator: `setup.ts`, by a link that works once. All accounts, for operators: `administration.ts`, a page at a time
 * by `account-list.ts` (`account-places.ts` has its SQL); `suspension.ts` switches accounts off in every process at once, and
 * `deletion.ts` deletes them with all that they have. Several people act for one account as a team: `teams/teams.ts`.
 *
 * Failure: without the database nobody can sign in, and sessions are `unavailable` within five seconds. Every refusal of a
 * signature has one text, and its reason is only logged.
 *
 * Limitations: accounts cannot be merged. Tokens that authorization servers gave to connections of a deleted account are forgotten
 * here and not revoked there. There is one provider of OpenID Connect at a time; identities of one before it stay, and sign
 * nobody in. The limit of sign-in attempts is per process. The age of
 * a provider's keys is measured by the wall clock.
 */

import type { SignInOptions, SignUpPolicy } from '../../shared/accounts.ts'
import type { InvitationAnswer } from '../../shared/invitations.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import type { Database } from '../platform/database.ts'
import type { Egress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Plans } from '../plans/plans.ts'
import { type AccountUse, createAccountList } from './account-list.ts'
import { createAdministration } from './administration.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInCompletion } from './sign-in-outcome.ts'
import { createCleanupJob } from './cleanup-job.ts'
import type { Audit } from '../audit/audit.ts'
import { type RemoveHeld, createDeletion } from './deletion.ts'
import { effectiveStanding, readOperators } from './operators.ts'
import type { ConfiguredOperators } from './operators.ts'
import type { ProvenIdentity } from './identity.ts'
import { createOwnAccount } from './own-account.ts'
import { type PendingStore, createPendingStore } from './pending/store.ts'
import { createGithub } from './providers/github.ts'
import type { GithubSettings } from './providers/github.ts'
import { createGoogle } from './providers/google.ts'
import type { GoogleSettings } from './providers/google.ts'
import { createOidc } from './providers/oidc.ts'
import type { OidcSettings } from './providers/oidc.ts'
import { type ConfiguredProviders, createProviderSignIn } from './providers/provider-sign-in.ts'
import { createMutationLimit } from './mutation-limit.ts'
import type { MutationRates } from './mutation-limit.ts'
import type { CurrentSession } from './sessions/session.ts'
import { type Sessions, createSessions } from './sessions/sessions.ts'
import { createSetup } from './setup.ts'
import type { Setup } from './setup.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'
import { type PlanOfNew, createNewAccounts } from './sign-up/new-accounts.ts'
import { type AllowList, readAllowList } from './sign-up/allow-list.ts'
import { createInvitations } from './sign-up/invitations.ts'
import { createJoining } from './sign-up/joining.ts'
import { entryBy } from './sign-up/policy.ts'
import { type AccountStore, createAccountStore } from './store.ts'
import type { SignInRequest } from './sign-in-request.ts'
import { type HeldBy, createSuspension } from './suspension.ts'
import { createTeams } from './teams/teams.ts'
import type { ChainRpcs } from './wallet/contract-signature.ts'
import { createWalletSignIn } from './wallet/wallet-sign-in.ts'

export interface AccountsOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly log: Log
  readonly settings: AccountSettings
  readonly world: AccountsWorld
}

/** What the operator decided. */
export interface AccountSettings {
  readonly signUp: SignUpPolicy
  readonly signUpAllow: readonly string[]
  readonly mutationRates: MutationRates
  readonly operators: readonly string[]
  readonly chainRpcs: ChainRpcs
  readonly github: GithubSettings | null
  readonly google: GoogleSettings | null
  readonly oidc: OidcSettings | null
}

/** What other parts do for this one. */
export interface AccountsWorld {
  readonly egress: Egress
  readonly record: Audit['record']
  /** Returns the address of this installation for browsers. It is not known before the server listens. */
  readonly address: () => PublicAddress
  /** Limits attempts to sign in, because anybody can make them and each is stored for ten minutes. */
  readonly attempts: SignInAttempts
  /** Keeps what processes remember of accounts and keys in step. */
  readonly replicas: KeyReplicas
  readonly heldBy: HeldBy
  readonly removeHeld: RemoveHeld
  readonly plans: Pick<Plans, 'all' | 'existsIn' | 'nameAtSignUp'>
  /** Sums of usage, which exist later than the accounts. */
  readonly use: () => AccountUse
}

export type Accounts = ReturnType<typeof createAccounts>

/** Who people are: sign-in by wallet and at providers, web sessions, and the two roles. */
export function createAccounts({ database, vault, clock, log, settings, world }: AccountsOptions) {
  const { record, address, attempts, replicas } = world
  const operators = readOperators(settings.operators)
  const store = createAccountStore(database)
  const pending = createPendingStore(database)
  const sessions = createSessions({ database, clock, log, operators, keySync: replicas.keySync })
  const { setup, invitations, joining, wallet, atProviders, signIn } = openSignIn(
    { database, vault, clock, log, settings, world },
    { operators, store, pending, sessions },
  )
  const { sweep, refresh, ...forOperators } = openForOperators(
    { database, vault, clock, log, settings, world },
    { operators, store, pending, sessions },
  )
  const cleaning = createCleanupJob({ pending, sessions, clock, log, refreshUse: refresh, sweep })
  const planOfNew = world.plans.nameAtSignUp
  const ofTeams = { database, clock, store, sessions, record, address }
  const teams = createTeams({ ...ofTeams, signUp: settings.signUp, planOfNew })

  return {
    /** The session of a cookie; null when it is none, or over. Fault: `unavailable`. */
    session: sessions.find,

    /** Aborts when a session of the account ends or what it may do changes: streams are to end then. */
    streamEnd: sessions.streamEnd,

    own: createOwnAccount({ database, store, sessions, record }),
    teams,

    async options(): Promise<SignInOptions> {
      return {
        contractWalletChains: wallet.contractChains,
        providers: atProviders.offered,
        oidcName: settings.oidc?.name ?? null,
        offersThrowawayWallet: address().isLoopback,
        hasOperator: await setup.hasOperator(),
        signUp: settings.signUp,
      }
    },

    ...signIn,
    providerProblem: atProviders.problemOf,

    /** Returns the link whose first user becomes the first operator; null when there is an operator. */
    async setupLink(): Promise<string | null> {
      const token = await setup.createToken()
      // Browsers send the part behind the `#` to no server, so that no access log contains the token.
      return token === null ? null : `${address().origin}/sign-in#setup=${token}`
    },

    /** Makes the signed-in account an operator. Faults: `rate_limited`, `gone`. */
    claimSetup(session: CurrentSession, token: string, context: SignInRequest): Promise<void> {
      attempts.count(context)
      return setup.claim(session, token, context)
    },

    /**
     * Takes up an invitation: it lets in at once whoever is signed in and waits. Faults: `rate_limited`; `gone` for one that
     * lets nobody in, or not this account; `conflict` where the account needs none.
     */
    showInvitation(token: string, context: SignInRequest): Promise<InvitationAnswer> {
      attempts.count(context)
      return joining.show(token, context)
    },

    ...invitations,
    ...forOperators,
    /** Brings what lists are sorted by up to date, as happens from time to time by itself. */
    refreshUse: refresh,

    /** Counts changes that an account is about to make. Fault: `rate_limited`. */
    countMutations: createMutationLimit({
      database,
      clock,
      rates: settings.mutationRates,
      isOperator: (id) => database.run((sql) => forOperators.isOperator(sql, id)),
    }),

    /** Removes what is over, as happens from time to time by itself. */
    clean: cleaning.run,

    async start(): Promise<void> {
      await sessions.start()
      const { isTls, isLoopback, origin } = address()
      if (!isTls && !isLoopback) {
        log.warn('whoever can listen on the network can take over sessions: serve it by https', { origin })
      }
      cleaning.start()
      void atProviders.check() // nobody waits for a provider
    },

    async stop() {
      await Promise.all([cleaning.stop(), sessions.stop()])
    },
  }
}

interface SignInDomain {
  readonly operators: ConfiguredOperators
  readonly store: AccountStore
  readonly pending: PendingStore
  readonly sessions: Sessions
}

/** What operators do with accounts, and how they find them. */
function openForOperators(
  { database, clock, world }: AccountsOptions,
  { operators, store, sessions }: SignInDomain,
) {
  const { record, replicas, heldBy, removeHeld, plans, use } = world
  const ofAll = { database, store, sessions, operators, record, now: clock.now }
  return {
    ...createAdministration({ ...ofAll, planOfNew: planUnder(plans, operators) }),
    ...createSuspension({ ...ofAll, replicas, heldBy, plans }),
    ...createDeletion({ ...ofAll, replicas, removeHeld }),
    ...createAccountList({ ...ofAll, use }),
  }
}

/** Every way in: by wallet and at providers, for accounts that exist and for new ones. */
function openSignIn(
  { database, vault, clock, log, settings, world }: AccountsOptions,
  { operators, store, pending, sessions }: SignInDomain,
) {
  const { egress, record, address, attempts } = world
  const setup = createSetup({ database, clock, operators, sessions, record })
  const allowList = readAllowList(settings.signUpAllow)
  const entryOf = entryUnder(settings.signUp, allowList, operators, setup)
  const { refusal, take, ...invitations } = createInvitations({ database, clock, record, address })
  const ofSignIn = { database, clock, store, sessions, record }
  const newAccounts = createNewAccounts({
    ...ofSignIn,
    entryOf,
    planOf: planUnder(world.plans, operators),
    invitations: { take },
  })
  const completeSignIn = createSignInCompletion({
    ...ofSignIn,
    newAccounts,
    standingOf: (account) => effectiveStanding(account, operators),
  })
  const joining = createJoining({ database, store, sessions, record, invitations: { refusal, take } })
  const { chainRpcs } = settings
  const wallet = createWalletSignIn({ pending, clock, log, egress, address, chainRpcs })
  const providers = configuredProviders(settings, allowList, { egress, clock, log })
  const atProviders = createProviderSignIn({ providers, pending, vault, clock, log, address })
  const signIn = createSignIn({ attempts, clock, wallet, atProviders, completeSignIn })
  return { setup, invitations, joining, wallet, atProviders, signIn }
}

/** Whom the settings name an operator has no plan. */
const planUnder =
  ({ nameAtSignUp }: Pick<Plans, 'nameAtSignUp'>, operators: ConfiguredOperators): PlanOfNew =>
  (identity) =>
    operators.includes(identity) ? null : nameAtSignUp()

const entryUnder =
  (
    policy: SignUpPolicy,
    allowList: AllowList,
    operators: ConfiguredOperators,
    { hasOperator }: Pick<Setup, 'hasOperator'>,
  ) =>
  async (identity: ProvenIdentity) =>
    entryBy(policy, {
      isConfiguredOperator: operators.includes(identity),
      isAllowed: allowList.includes(identity),
      hasOperator: await hasOperator(),
    })

const configuredProviders = (
  { github, google, oidc }: AccountSettings,
  { githubOrganisations, oidcGroupKinds }: AllowList,
  parts: { readonly egress: Egress; readonly clock: SteadyClock; readonly log: Log },
): ConfiguredProviders => ({
  github: github && createGithub(github, parts.egress, githubOrganisations),
  google: google && createGoogle(google, parts.egress, parts.clock),
  oidc: oidc && createOidc(oidc, parts, oidcGroupKinds),
})
