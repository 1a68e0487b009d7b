import { rfc3339 } from '../../shared/instants.ts'
import { isNotPast } from '../../shared/api-keys.ts'
import type { Limit } from '../../shared/limits.ts'
import type { QueryKeyResource } from '../../shared/query-key-resources.ts'
import type { CreatedQueryKey, QueryKeyView } from '../../shared/query-keys.ts'
import type { FurtherLimits } from '../limits/limits.ts'
import { queryKeyPrefix } from '../keys/key-value.ts'
import {
  type KeyKind,
  type StoredKey,
  restrictionTexts,
  storedKeyFacts,
  storedKeyView,
} from '../keys/stored-key.ts'

/**
 * For so long a process goes on with the keys that it knows while it cannot reach the database: longer than a server
 * takes that fails over or is upgraded, and not for ever, because another process may have disabled a key meanwhile.
 */
export const goesOnWithoutDatabaseSec = 300

export const queryKeyKind: KeyKind = {
  name: 'query_key',
  label: 'query key',
  table: 'query_keys',
  prefix: queryKeyPrefix,
  idPrefix: 'qkey',
  maxOfAccount: 10_000,
  usedWithoutHeartbeatSec: goesOnWithoutDatabaseSec + 10, // clocks may differ a little in their pace
}

/** A key for blockchain access, without its value. Instants are epoch ms. */
export interface QueryKey extends StoredKey {
  readonly type: string
  /** The endpoint that it is made for; in an authorization the one that it is used at. */
  readonly endpoint: string
  /** Further endpoints at which it works: names, or beginnings and `*`. */
  readonly moreEndpoints: readonly string[]
  /** Requests; null: no limit. */
  readonly rate: Limit | null
  /** Credits; null: no limit. */
  readonly credits: Limit | null
  /** What its calls have to fit into besides, by the plan of its account; blank for a key that was not read yet. */
  readonly further: readonly FurtherLimits[]
  /** Methods, or beginnings and `*`; blank: all that its endpoint relays. */
  readonly allowedMethods: readonly string[]
  /** Addresses in lower case; blank: any contract. */
  readonly allowedContracts: readonly string[]
  /** Until this instant the request log keeps the parameters of its calls; null: it does not. */
  readonly debugEndsAt: number | null
}

/** For so long the owner may have parameters kept at a time. */
const debugMs = 3_600_000

export const debugEndsAfter = (now: number, isOn: boolean): number | null => (isOn ? now + debugMs : null)

/** What the owner sees at an instant (epoch ms). */
export const toQueryKeyView = (key: QueryKey, lastUsedAt: number | null, now: number): QueryKeyView => ({
  ...storedKeyView(key, now),
  ...termsOf(key),
  debugEndsAt: key.debugEndsAt !== null && isNotPast(key.debugEndsAt, now) ? key.debugEndsAt : null,
  lastUsedAt,
})

/** What the audit log holds of a key before and after a change. */
export const queryKeyFacts = (key: QueryKey) => ({
  ...storedKeyFacts(key),
  ...termsOf(key),
  debugEndsAt: key.debugEndsAt,
})

const termsOf = ({ type, endpoint, rate, credits, ...lists }: QueryKey) => ({
  type,
  endpoint,
  rate,
  credits,
  allowedMethods: [...lists.allowedMethods],
  allowedContracts: [...lists.allowedContracts],
  moreEndpoints: [...lists.moreEndpoints],
})

/** What whoever created a key by REST is told, once. */
export const createdKey = (key: QueryKey, value: string, url: string): CreatedQueryKey => ({
  id: key.id,
  key: value,
  name: key.name,
  type: key.type,
  endpoint: key.endpoint,
  url,
  ...limitTexts(key),
  ...restrictionTexts(key),
  allowedMethods: [...key.allowedMethods],
  allowedContracts: [...key.allowedContracts],
  moreEndpoints: [...key.moreEndpoints],
  enabled: key.isEnabled,
  createdAt: rfc3339(key.createdAt),
  expiresAt: key.expiresAt === null ? null : rfc3339(key.expiresAt),
})

/** What REST shows of a key. */
export const toQueryKeyResource = (key: QueryKeyView): QueryKeyResource => ({
  id: key.id,
  name: key.name,
  type: key.type,
  endpoint: key.endpoint,
  ...limitTexts(key),
  allowedIps: key.allowedIps,
  allowedDomains: key.allowedDomains,
  allowedMethods: key.allowedMethods,
  allowedContracts: key.allowedContracts,
  moreEndpoints: key.moreEndpoints,
  enabled: key.isEnabled,
  state: key.state,
  hint: key.hint,
  createdAt: rfc3339(key.createdAt),
  expiresAt: key.expiresAt === null ? null : rfc3339(key.expiresAt),
  debugEndsAt: key.debugEndsAt === null ? null : rfc3339(key.debugEndsAt),
  lastUsedAt: key.lastUsedAt === null ? null : rfc3339(key.lastUsedAt),
  previous: key.previous === null ? null : { hint: key.previous.hint, endsAt: rfc3339(key.previous.endsAt) },
})

const limitTexts = ({ rate, credits }: Pick<QueryKey, 'rate' | 'credits'>) => ({
  rateLimit: rate?.units ?? null,
  rateLimitPeriod: rate?.period ?? null,
  creditsLimit: credits?.units ?? null,
  creditsLimitPeriod: credits?.period ?? null,
})
