import type { ApiKeyView } from '../../shared/api-keys.ts'
import { type KeysOptions, createKeys } from '../keys/keys.ts'
import type { Log } from '../platform/log.ts'
import { type ApiKey, apiKeyFacts, apiKeyKind, toApiKeyView } from './api-key.ts'
import { createApiKeyAuthorization } from './authorization.ts'
import { createApiKeyEditing } from './editing.ts'
import { createApiKeyUses } from './last-uses.ts'
import { createApiKeyStore } from './store.ts'

export type { ApiKeyGuard } from './guard.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

/** Administrative API keys, with what `createKeys` says of all keys. */
export function createApiKeys(options: KeysOptions & { readonly log: Log }) {
  const store = createApiKeyStore(options.database)
  const lastUses = createApiKeyUses(store, options.log)

  function view(key: ApiKey, now: number): ApiKeyView {
    const lastUsedAt = Math.max(key.lastUsedAt ?? 0, lastUses.unwritten(key.id) ?? 0)
    return toApiKeyView({ ...key, lastUsedAt: lastUsedAt === 0 ? null : lastUsedAt }, now)
  }

  const keys = createKeys(options, { kind: apiKeyKind, store, view, factsOf: apiKeyFacts })

  return {
    ...createApiKeyEditing(keys),
    ...createApiKeyAuthorization(keys, lastUses),
    list: keys.list,
    find: keys.find,
    onChange: keys.onChange,
    /** False while every look-up asks the database, because the memory may lack a change. */
    isAnsweringFromMemory: keys.keySync.isFresh,
    start: lastUses.start,
    /** Writes what is in memory. */
    stop: lastUses.stop,
  }
}
