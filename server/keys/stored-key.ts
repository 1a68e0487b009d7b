import { apiKeyState, isNotPast } from '../../shared/api-keys.ts'
import type { CheckableKey } from './check.ts'
import type { TokenPrefix } from '../platform/token-prefixes.ts'
import type { SealedColumn } from '../platform/resealing.ts'

/** How API keys and query keys differ in what this room does with them. */
export interface KeyKind {
  readonly name: KeyKindName
  /** Name of the kind in messages. */
  readonly label: string
  readonly table: 'api_keys' | 'query_keys'
  readonly prefix: TokenPrefix
  /** Prefix of ids, before their random part. */
  readonly idPrefix: string
  /** Maximum number of keys of any account, operators' too: with more, lists and statistics of one would be slow. */
  readonly maxOfAccount: number
  /**
   * A process without a heartbeat for this long is not waited for any more. Memory is trusted for 2 s (`replicas/key-sync.ts`);
   * what is used while the database is away goes on for longer, and a change must not claim to have reached it.
   */
  readonly usedWithoutHeartbeatSec: number
}

export type KeyKindName = 'api_key' | 'query_key'

/** The fields that keys of both kinds have, without the value. Instants are epoch ms. */
export interface StoredKey extends CheckableKey {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly keyHash: string
  readonly hint: string
  readonly previous: PreviousValue | null
  readonly createdAt: number
}

/** The value before the last rotation, which works until `endsAt`. */
export interface PreviousValue {
  readonly hash: string
  readonly hint: string
  readonly endsAt: number
}

/** Returns the restrictions as texts, the form in which they are stored, shown and recorded. */
export const restrictionTexts = ({ allowedIps, allowedDomains }: CheckableKey) => ({
  allowedIps: allowedIps.map(({ text }) => text),
  allowedDomains: allowedDomains.map(({ text }) => text),
})

/** Returns the fields of a key that its owner sees; `now` in epoch ms. */
export function storedKeyView(key: StoredKey, now: number) {
  const { id, name, createdAt, expiresAt, isEnabled, hint, previous } = key
  return {
    id,
    name,
    ...restrictionTexts(key),
    createdAt,
    expiresAt,
    isEnabled,
    state: apiKeyState(key, now),
    hint,
    previous:
      previous !== null && isNotPast(previous.endsAt, now)
        ? { hint: previous.hint, endsAt: previous.endsAt }
        : null,
  }
}

/** Returns the fields of a key that the audit log records before and after a change. */
export const storedKeyFacts = (key: StoredKey) => ({
  name: key.name,
  ...restrictionTexts(key),
  expiresAt: key.expiresAt,
  isEnabled: key.isEnabled,
  hint: key.hint,
  previousEndsAt: key.previous?.endsAt ?? null, // when the value before the last rotation stops working
})

type Table = KeyKind['table']

/** With the owner: a sealed value that somebody moved to a row of another account does not open. */
export const sealedPlace = (table: Table, id: string, accountId: string): string =>
  `${table}:${id}:key:${accountId}`

/** The values of all keys of a kind. */
export const sealedValuesOf = (table: Table): SealedColumn => ({
  table,
  column: 'key_sealed',
  key: 'id',
  owner: 'account_id',
  place: (id, accountId) => sealedPlace(table, id, accountId),
})
