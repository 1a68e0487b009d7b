import { OAuthError, assertSecureTokenEndpoint, refreshAuthorization } from '@modelcontextprotocol/client'
import type { FetchLike } from '@modelcontextprotocol/client'

import type { Clock } from '../../platform/clock.ts'
import { EgressError } from '../../platform/egress.ts'
import type { CounterMetric, HistogramMetric } from '../../platform/metrics.ts'
import type { Vault } from '../../platform/vault.ts'
import { DownstreamError } from '../downstream/failure.ts'
import { createAccessMemory, earlyOf } from './access-memory.ts'
import type { AccessStore, AccessRecord } from './access-store.ts'
import { scopeNamesIn } from './issuer.ts'
import { type KeptAccess, openAccess, sealAccess, tokensFrom } from './kept-access.ts'
import type { Registrations } from './registrations.ts'
import type { UnstoredTokens } from './unstored-tokens.ts'

export interface OAuthAccessOptions {
  readonly store: Pick<AccessStore, 'read' | 'lease' | 'release'>
  readonly unstored: Pick<UnstoredTokens, 'store' | 'storeKept'>
  readonly registrations: Pick<Registrations, 'forget'>
  readonly vault: Vault
  readonly fetch: FetchLike
  readonly clock: Clock
  readonly refreshes: CounterMetric<'outcome'>
  readonly waits: HistogramMetric<never>
  /** Forgets tokens that are of no use any more, and tells their owner. */
  drop(access: AccessRecord): Promise<void>
}

/** The longest that somebody waits for the refresh of another process: its lease and what comes after. */
const longestWaitMs = 20_000
const firstPauseMs = 20
const longestPauseMs = 250

/** What an authorization server answers when our name there is over. */
const clientCodes: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])
/** What passes by itself. The SDK says `server_error` of an answer that has no code, too: anything may have sent it. */
const passingCodes: ReadonlySet<string> = new Set([
  'server_error',
  'temporarily_unavailable',
  'slow_down',
  'too_many_requests',
])

const consentNeeded = (): DownstreamError => new DownstreamError('consent_needed')

/**
 * Access tokens of saved connections. On the way of a call they come from memory; one that is about to end is renewed once,
 * however many ask in however many processes. Rejects with a `DownstreamError`: `consent_needed` where the authorization
 * server refuses, or `unreachable` where it does not answer, which ends nothing. Rejects with whatever the database does.
 */
export function createOAuthAccess(options: OAuthAccessOptions) {
  const { store, unstored, registrations, vault, fetch, clock, refreshes, waits, drop } = options
  const memory = createAccessMemory(clock)
  const underWay = new Map<string, Promise<string>>()

  /** `refused`: the one that the tool server has just refused. */
  async function ask(id: string, refused: string | null): Promise<string> {
    for (let running = underWay.get(id); running !== undefined; running = underWay.get(id)) {
      const token = await running
      if (token !== refused) return token // of a question that was asked before the refusal it may be the same
    }
    const started = clock.monotonic()
    const asked = find(id, refused).finally(() => {
      underWay.delete(id)
      waits.observe((clock.monotonic() - started) / 1_000)
    })
    underWay.set(id, asked)
    return asked
  }

  async function find(id: string, refused: string | null): Promise<string> {
    const giveUpAt = clock.monotonic() + longestWaitMs
    for (
      let pauseMs = firstPauseMs;
      clock.monotonic() < giveUpAt;
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    ) {
      await unstored.storeKept(id)
      const row = await store.read(id)
      if (row === null || row.tokensSealed === null) throw consentNeeded()
      const access = openAccess(vault, row, row.tokensSealed)
      const isGood = row.expiresAt === null || row.expiresAt - clock.now() > earlyOf(access.lifeMs)
      if (isGood && access.accessToken !== refused) return remember(row, access)
      if (access.refreshToken === null) return giveUp(row, access, refused)
      if (!row.isRefreshing && (await store.lease(id, row.version))) {
        const renewed = await refresh(row, access, access.refreshToken)
        if (renewed !== null) return renewed
      }
      await Bun.sleep(pauseMs)
    }
    throw new DownstreamError('unreachable', 'refresh')
  }

  function remember(
    { id, version, expiresAt }: AccessRecord,
    { accessToken: token, lifeMs }: KeptAccess,
  ): string {
    memory.store(id, { token, version, expiresAt, lifeMs })
    return token
  }

  /** What cannot be renewed is good until its end, or until the tool server refuses it. */
  async function giveUp(row: AccessRecord, access: KeptAccess, refused: string | null): Promise<string> {
    const isOver = row.expiresAt !== null && row.expiresAt <= clock.now()
    if (!isOver && access.accessToken !== refused) return access.accessToken
    await end(row, 'consent_needed')
    throw consentNeeded()
  }

  async function end(row: AccessRecord, outcome: string): Promise<void> {
    refreshes.add({ outcome })
    memory.forget(row.id)
    await drop(row)
  }

  /**
   * Outside of any transaction: a server that hangs holds no connection to the database. Null: its owner has agreed anew
   * meanwhile, perhaps as somebody else, and what was renewed is of no use any more.
   */
  async function refresh(
    row: AccessRecord,
    access: KeptAccess,
    refreshToken: string,
  ): Promise<string | null> {
    const renewed = await renew(access, refreshToken, fetch).catch((error: unknown) =>
      failed(row, access, error),
    )
    const { accessToken, lifeMs, scopes } = renewed
    const expiresAt = lifeMs === null ? null : Math.floor(clock.now()) + lifeMs
    const tokensSealed = sealAccess(vault, row, { ...access, ...renewed.tokens })
    refreshes.add({ outcome: 'renewed' })
    if (!(await unstored.store(row.id, row.version, { tokensSealed, expiresAt, scopes }))) return null
    memory.store(row.id, { token: accessToken, version: row.version + 1, expiresAt, lifeMs })
    return accessToken
  }

  async function failed(row: AccessRecord, { issuer }: KeptAccess, error: unknown): Promise<never> {
    if (error instanceof RefreshRefusal) {
      if (clientCodes.has(error.code)) await registrations.forget(issuer)
      await end(row, 'consent_needed')
      throw consentNeeded()
    }
    refreshes.add({ outcome: 'unreachable' })
    await store.release(row.id, row.version)
    throw new DownstreamError('unreachable', error instanceof EgressError ? error.code : 'refresh')
  }

  return {
    /** A token that is good for a while: at once where it is in memory. */
    current: (id: string): string | Promise<string> => memory.find(id) ?? ask(id, null),
    /** Another token than the one that the tool server has just refused. */
    after: (id: string, refused: string): Promise<string> => {
      memory.forget(id)
      return ask(id, refused)
    },
    last: memory.last,
    noticed: memory.noticed,
    forget: memory.forget,
  }
}

/**
 * The authorization server gives no new tokens, and says so by a code. Not only by `invalid_grant`: GitHub answers
 * `bad_refresh_token` with status 200, and others have words of their own.
 */
class RefreshRefusal extends Error {
  override readonly name = 'RefreshRefusal'
  readonly code: string
  constructor(code: string) {
    super('the refresh was refused')
    this.code = code
  }
}

const isRefusal = ({ code }: OAuthError, status: number): boolean =>
  status < 500 && status !== 429 && !passingCodes.has(code)

/** Asks for new tokens. Rejects with a `RefreshRefusal`, or with whatever else went wrong. */
async function renew(access: KeptAccess, refreshToken: string, fetchFn: FetchLike) {
  const { issuer, metadata, client, resource } = access
  assertSecureTokenEndpoint(metadata.token_endpoint ?? '')
  let status = 0
  const given = await refreshAuthorization(issuer, {
    metadata,
    clientInformation: client,
    refreshToken,
    resource,
    async fetchFn(url, init) {
      const response = await fetchFn(url, init)
      status = response.status
      return response
    },
  }).catch((error: unknown) => {
    throw error instanceof OAuthError && isRefusal(error, status) ? new RefreshRefusal(error.code) : error
  })
  const tokens = tokensFrom(given)
  const scopes = given.scope === undefined ? null : scopeNamesIn(given.scope).join(' ')
  return { tokens, scopes, accessToken: tokens.accessToken, lifeMs: tokens.lifeMs }
}

export type OAuthAccess = ReturnType<typeof createOAuthAccess>
