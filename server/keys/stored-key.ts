import { apiKeyState, isNotPast } from '../../shared/api-keys.ts'
import type { CheckableKey } from './check.ts'
import type { KeyPrefix } from './key-format.ts'

/** API keys administer an account, query keys give access to blockchains. What both have in common is in this folder. */
export interface KeyKind {
  readonly name: KeyKindName
  /** In texts that people read. */
  readonly label: string
  readonly table: 'api_keys' | 'query_keys'
  readonly prefix: KeyPrefix
  /** Before the random part of an id. */
  readonly idPrefix: string
  /** Of any account, operators' among them: all keys are held in memory. */
  readonly maxOfAccount: number
  /**
   * A process without a heartbeat for this long is not waited for any more. Memory is trusted for 2 s (`replicas/key-sync.ts`);
   * what is used while the database is away goes on for longer, and a change must not claim to have reached it.
   */
  readonly usedWithoutHeartbeatSec: number
}

export type KeyKindName = 'api_key' | 'query_key'

/** What every key has, without its value. Instants are epoch ms. */
export interface StoredKey extends CheckableKey {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly keyHash: string
  readonly hint: string
  readonly previous: PreviousValue | null
  readonly createdAt: number
}

/** The value before the last rotation. */
export interface PreviousValue {
  readonly hash: string
  readonly hint: string
  readonly endsAt: number
}

/** The restrictions as texts, as they are stored, shown and recorded. */
export const restrictionTexts = ({ allowedIps, allowedDomains }: CheckableKey) => ({
  allowedIps: allowedIps.map(({ text }) => text),
  allowedDomains: allowedDomains.map(({ text }) => text),
})

/** What the owner of any key sees at an instant (epoch ms). */
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

/** What the audit log holds of any key before and after a change. */
export const storedKeyFacts = (key: StoredKey) => ({
  name: key.name,
  ...restrictionTexts(key),
  expiresAt: key.expiresAt,
  isEnabled: key.isEnabled,
  hint: key.hint,
  previousEndsAt: key.previous?.endsAt ?? null, // when the value before the last rotation stops working
})
