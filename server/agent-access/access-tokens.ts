import type { AgentScope } from '../../shared/agents.ts'
import type { KeySync, SyncedKeys } from '../keys/replicas/key-sync.ts'
import { Fault, fault } from '../platform/fault.ts'
import { type AddressLimit, sourceOf } from '../platform/http/address-limit.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { isGoodFor } from './resources.ts'
import type { StoredAccess, TokenStore } from './token-store.ts'
import { type TokenValues, accessPrefix } from './token-values.ts'
import { RecentMap } from '../platform/recent-map.ts'

export interface AccessTokensOptions {
  readonly store: Pick<TokenStore, 'findAccess'>
  readonly values: TokenValues
  readonly keySync: Pick<KeySync, 'isFresh' | 'isCutOff' | 'ageMs' | 'follow'>
  readonly clock: SteadyClock
  /** Counts unknown tokens by address: each costs a look-up in the database. */
  readonly unknownTokens: AddressLimit
}

/** One use of a token. */
export interface TokenUse {
  readonly address: string | null
  /** A path. */
  readonly resource: string
  /** All of them are needed; none: any token for the resource. */
  readonly needs: readonly AgentScope[]
}

export type TokenVerdict =
  | { readonly kind: 'allowed' | 'scope_missing'; readonly access: StoredAccess }
  | { readonly kind: 'invalid' }

/** How long tokens in memory go on without the database; as long as query keys do. */
export const goesOnSec = 300
const maxRemembered = 50_000

/**
 * Access tokens as the doors see them. Those that were let in a moment ago are in memory, from which the change log of
 * the keys takes them when their grant ends.
 */
export function createAccessTokens({ store, values, keySync, clock, unknownTokens }: AccessTokensOptions) {
  /** The first is the one that was used least recently. */
  const remembered = new RecentMap<string, StoredAccess>(maxRemembered)
  const listeners = new Set<(grantId: string | null) => void>()
  /** Counts pieces of news: what was read before one may be old by now, and is not kept. */
  let news = 0

  const tell = (grantId: string | null): void => {
    for (const listener of listeners) listener(grantId)
  }

  const memory: SyncedKeys = {
    kind: 'agent_grant',
    async reload() {
      news += 1
      remembered.clear()
      tell(null)
    },
    async refresh(ids) {
      news += 1
      const ended = new Set(ids)
      for (const [hash, { grantId }] of remembered) if (ended.has(grantId)) remembered.delete(hash)
      for (const grantId of ended) tell(grantId)
    },
  }
  keySync.follow(memory)

  const mayAnswerFromMemory = (): boolean =>
    keySync.isFresh() || (keySync.isCutOff() && keySync.ageMs() <= goesOnSec * 1_000)

  async function look(hash: string, use: TokenUse): Promise<TokenVerdict> {
    const retryAfterSec = unknownTokens.waitSec(use.address)
    if (retryAfterSec > 0) {
      throw fault('rate_limited', `Too many unknown tokens from ${sourceOf(use.address)}`, { retryAfterSec })
    }
    const before = news
    const access = await lookUp(hash)
    if (access === null) {
      unknownTokens.count(use.address)
      return { kind: 'invalid' }
    }
    if (news === before && mayAnswerFromMemory()) remembered.set(hash, access)
    return verdictOn(access, use)
  }

  /** The database is away for longer than the memory may stand in, or never told of this token: `unavailable`. */
  async function lookUp(hash: string): Promise<StoredAccess | null> {
    try {
      return await store.findAccess(hash)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
      const known = remembered.get(hash)
      if (known === undefined || keySync.ageMs() > goesOnSec * 1_000) throw error
      return known
    }
  }

  function verdictOn(access: StoredAccess, { resource, needs }: TokenUse): TokenVerdict {
    if (access.expiresAt <= clock.now() || !isGoodFor(access.resource, resource)) return { kind: 'invalid' }
    const isEnough = needs.every((scope) => access.scopes.includes(scope))
    return { kind: isEnough ? 'allowed' : 'scope_missing', access }
  }

  return {
    /** Faults: `unavailable`; `rate_limited` for many unknown tokens of one address. */
    check(value: string, use: TokenUse): TokenVerdict | Promise<TokenVerdict> {
      const hash = values.hashIf(value, accessPrefix)
      if (hash === null) return { kind: 'invalid' }
      const known = mayAnswerFromMemory() ? remembered.get(hash) : undefined
      if (known === undefined) return look(hash, use)
      remembered.set(hash, known)
      return verdictOn(known, use)
    },

    /** Calls back with the id of each grant that may have ended; null: any of them. Returns what ends it. */
    onChange(listener: (grantId: string | null) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
