import { type FetchLike, type StoredOAuthTokens, auth, computeScopeUnion } from '@modelcontextprotocol/client'

import type { ConsentStart } from '../../../shared/connections.ts'
import type { Author } from '../../keys/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import type { Vault } from '../../platform/vault.ts'
import type { DownstreamService } from '../downstream-service.ts'
import type { OAuthFacts } from '../saved/saved-connection.ts'
import type { StoredConnection } from '../store.ts'
import type { AccessStore } from './access-store.ts'
import { type AwayStore, awayPlace } from './away-store.ts'
import { discover } from './discovery.ts'
import { type PendingConsent, createConsentProvider, notRegistered } from './pending-consent.ts'
import { ConsentRefusal, isSecure, scopeNamesIn } from './issuer.ts'
import { type KeptAccess, sealAccess, tokensFrom } from './kept-access.ts'
import type { Registrations } from './registrations.ts'
import type { OwnClient } from './own-client.ts'

export interface ConsentOptions {
  readonly store: AccessStore
  readonly away: AwayStore
  readonly registrations: Registrations
  readonly vault: Vault
  readonly fetch: FetchLike
  readonly clock: Pick<Clock, 'now'>
  readonly ownClient: OwnClient
  /** The account's connection with the service as the registry has it now. Null: not this account's, or not by OAuth. */
  find(
    accountId: string,
    id: string,
  ): Promise<{ connection: StoredConnection; service: DownstreamService } | null>
  /** Runs a change of a connection and notes it in the audit log, in one transaction. */
  note(author: Author, id: string, work: (sql: TransactionSql) => Promise<Partial<OAuthFacts>>): Promise<void>
  /** For the log; the owner is told that it failed, and nothing that the other side said. */
  onFailed(error: unknown): void
}

/** Who is signed in, and in which browser. */
export interface ConsentingOwner {
  readonly author: Author
  readonly sessionId: string
  /** The same person for a team, if they may make connections for it. */
  forTeam?(teamId: string): Promise<Author | null>
}

/** How the way to consent ended, and for which connection; null where that is not known. */
export interface ConsentEnd {
  readonly outcome: 'connected' | 'declined' | 'expired' | 'failed'
  readonly connectionId: string | null
}

/** A page of the console waits for all of discovery and registration, and its request ends after ten seconds. */
const longestBeginMs = 9_000

const within =
  (fetch: FetchLike, signal: AbortSignal): FetchLike =>
  (input, init) =>
    fetch(input, { ...init, signal })

/** The way of an owner to an authorization server and back. The SDK checks issuer, resource and PKCE on both legs. */
export function createOAuthConsent(options: ConsentOptions) {
  const { store, away, registrations, vault, fetch, clock, ownClient, find, note, onFailed } = options
  const providerFor = createConsentProvider(ownClient, registrations)

  async function addressOfConsent(service: DownstreamService, wanted: string | null, redirectUrl: string) {
    const fetchInTime = within(fetch, AbortSignal.timeout(longestBeginMs))
    const { metadata, resourceMetadata, scopes } = await discover(service, fetchInTime)
    const pending: PendingConsent = {
      discovered: {
        authorizationServerUrl: metadata.issuer,
        authorizationServerMetadata: metadata,
        resourceMetadata,
      },
      redirectUrl,
      scope: computeScopeUnion(wanted ?? undefined, scopes.join(' ')) ?? null,
      verifier: '',
      client: null,
    }
    const state = mintSecret('')
    const sent = { url: null as URL | null }
    const { scope } = pending
    await auth(providerFor(pending, { state, sent }), {
      serverUrl: service.url,
      fetchFn: fetchInTime,
      forceReauthorization: true,
      ...(scope === null ? {} : { scope }),
    }).catch((error: unknown) => {
      throw error instanceof ConsentRefusal ? error : notRegistered(metadata.issuer)
    })
    if (sent.url === null || !isSecure(sent.url.href)) throw notRegistered(metadata.issuer)
    return { pending, state, url: sent.url }
  }

  async function started(owner: ConsentingOwner, id: string, origin: string): Promise<ConsentStart> {
    const found = await find(owner.author.accountId, id)
    if (found === null) throw fault('not_found', 'There is no such connection by OAuth')
    const access = await store.read(id)
    const before = computeScopeUnion(access?.scopes ?? undefined, access?.scopesWanted ?? undefined)
    const wanted = access?.scopesWanted === null ? null : (before ?? null)
    const { pending, state, url } = await addressOfConsent(found.service, wanted, `${origin}/oauth/callback`)
    const stateHash = hashSecret(state)
    await away.leave({
      stateHash,
      connectionId: id,
      accountId: owner.author.accountId,
      sessionId: owner.sessionId,
      sealed: vault.seal(JSON.stringify(pending), awayPlace(stateHash)),
    })
    return { kind: 'away', redirectTo: url.href }
  }

  /** Exchanges the code. The SDK compares `iss` (RFC 9207) before the code goes anywhere. */
  async function exchanged(
    { connection, service }: NonNullable<Awaited<ReturnType<ConsentOptions['find']>>>,
    pending: PendingConsent,
    code: string,
    iss: string | null,
  ): Promise<{ access: KeptAccess; scopes: string | null }> {
    const take = { tokens: null as StoredOAuthTokens | null }
    await auth(providerFor(pending, { state: '', take }), {
      serverUrl: service.url,
      authorizationCode: code,
      fetchFn: fetch,
      ...(iss === null ? {} : { iss }),
    })
    const { authorizationServerMetadata: metadata, resourceMetadata } = pending.discovered
    if (take.tokens === null || metadata === undefined || pending.client === null) {
      throw new TypeError(`the consent for ${connection.id} gave nothing`)
    }
    return {
      access: {
        issuer: metadata.issuer,
        metadata,
        client: pending.client,
        resource: resourceMetadata?.resource ?? service.url,
        ...tokensFrom(take.tokens),
      },
      scopes: scopeNamesIn(take.tokens.scope ?? pending.scope).join(' ') || null,
    }
  }

  return {
    /** Where the owner of a connection is sent to consent; a problem where that is nowhere. Fault: `not_found`. */
    async begin(owner: ConsentingOwner, id: string, origin: string): Promise<ConsentStart> {
      try {
        return await started(owner, id, origin)
      } catch (error) {
        if (!(error instanceof ConsentRefusal)) throw error
        return { kind: 'problem', problem: error.problem, text: error.message }
      }
    },

    /** The owner is back: once, in the web session that left. What the other side says of an error is shown nowhere. */
    async finish(owner: ConsentingOwner, query: URLSearchParams): Promise<ConsentEnd> {
      const stateHash = hashSecret(query.get('state') ?? '')
      const author = await authorBack(owner, await away.accountOf(stateHash, owner.sessionId))
      const back = author && (await away.comeBack(stateHash, { ...owner, accountId: author.accountId }))
      if (author === null || back === null) return { outcome: 'expired', connectionId: null }
      const { connectionId } = back
      const code = query.get('code')
      if (code === null) return { outcome: outcomeOfError(query.get('error')), connectionId }
      const found = await find(author.accountId, connectionId)
      if (found === null) return { outcome: 'expired', connectionId: null }
      const pending: PendingConsent = JSON.parse(vault.open(back.sealed, awayPlace(stateHash)))
      const given = await exchanged(found, pending, code, query.get('iss')).catch((error: unknown) => {
        onFailed(error)
        return null
      })
      if (given === null) return { outcome: 'failed', connectionId }
      const { access, scopes } = given
      const expiresAt = access.lifeMs === null ? null : Math.floor(clock.now()) + access.lifeMs
      const tokensSealed = sealAccess(vault, found.connection, access)
      await note(author, connectionId, async (sql) => {
        await store.consented(sql, connectionId, access.issuer, { tokensSealed, expiresAt, scopes })
        return { issuer: access.issuer, scopes, scopesWanted: null, hasTokens: true }
      })
      return { outcome: 'connected', connectionId }
    },
  }
}

/** Who is back, for the account for which they left, if they still may act for it. */
async function authorBack(
  { author, forTeam }: ConsentingOwner,
  accountId: string | null,
): Promise<Author | null> {
  if (accountId === author.accountId) return author
  return accountId === null ? null : ((await forTeam?.(accountId)) ?? null)
}

const outcomeOfError = (error: string | null): ConsentEnd['outcome'] =>
  error === 'access_denied' ? 'declined' : 'failed'
