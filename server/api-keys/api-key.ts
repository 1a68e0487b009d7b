import type { ApiKeyView } from '../../shared/api-keys.ts'
import { apiKeyPrefix } from '../keys/key-value.ts'
import { type KeyKind, type StoredKey, storedKeyFacts, storedKeyView } from '../keys/stored-key.ts'
import type { Checkable } from './check.ts'

export const apiKeyKind: KeyKind = {
  name: 'api_key',
  label: 'API key',
  table: 'api_keys',
  prefix: apiKeyPrefix,
  idPrefix: 'key',
  maxOfAccount: 1_000,
  usedWithoutHeartbeatSec: 3,
}

/** An administrative key, without its value. Instants are epoch ms. */
export interface ApiKey extends StoredKey, Checkable {
  /** To the minute. Moved on in place by this process: a use must not cost a look-up of its own. */
  lastUsedAt: number | null
}

/** What the owner sees at an instant (epoch ms). */
export const toApiKeyView = (key: ApiKey, now: number): ApiKeyView => ({
  ...storedKeyView(key, now),
  permissions: [...key.permissions],
  lastUsedAt: key.lastUsedAt,
})

/** What the audit log holds of a key before and after a change. */
export const apiKeyFacts = (key: ApiKey) => ({ ...storedKeyFacts(key), permissions: key.permissions })
