/**
 * API keys: keys for programs that administer an account, over REST and at the gateway. What they have in common with query
 * keys is in `keys/`.
 *
 * 1. `procedures.ts` has what people do in the console, `editing.ts` the use cases behind it.
 * 2. `guard.ts` stands before each REST route that takes an API key, before its body is read. `authorization.ts` finds the
 *    key, and `check.ts` adds the permission to what is checked of every key.
 * 3. `last-uses.ts` notes when a key was used, and writes it behind the request.
 *
 * Failures: a caller cannot tell an unknown key from a disabled or expired one. Wrong keys of one address are counted, and
 * while each look-up costs a database query, an address with too many is refused before. Without the database and with
 * memory out of step, the answer is `unavailable`.
 *
 * Known limitation: last uses are exact to the minute, and the last ten seconds of them are lost when a process is killed.
 */
import type { ApiKeyView } from '../../shared/api-keys.ts'
import { type KeysOptions, createKeys } from '../keys/keys.ts'
import type { Log } from '../platform/log.ts'
import { type ApiKey, apiKeyFacts, apiKeyKind, toApiKeyView } from './api-key.ts'
import { createApiKeyAuthorization } from './authorization.ts'
import { type IsOperator, createApiKeyEditing } from './editing.ts'
import { createApiKeyUses } from './last-uses.ts'
import { createApiKeyStore } from './store.ts'

export type { ApiKeyGuard, AuthorizedKey } from './guard.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

interface ApiKeysOptions extends KeysOptions {
  readonly log: Log
  readonly isOperator: IsOperator
}

/** Administrative API keys, with what `createKeys` says of all keys. */
export function createApiKeys(options: ApiKeysOptions) {
  const store = createApiKeyStore(options.database)
  const lastUses = createApiKeyUses(store, options.log)

  function view(key: ApiKey, now: number): ApiKeyView {
    const lastUsedAt = Math.max(key.lastUsedAt ?? 0, lastUses.unwritten(key.id) ?? 0)
    return toApiKeyView({ ...key, lastUsedAt: lastUsedAt === 0 ? null : lastUsedAt }, now)
  }

  const keys = createKeys(options, {
    kind: apiKeyKind,
    store,
    views: async (_, shown, now) => shown.map((key) => view(key, now)),
    factsOf: apiKeyFacts,
  })

  return {
    ...createApiKeyEditing(keys, options.isOperator),
    ...createApiKeyAuthorization(keys, lastUses),
    list: keys.list,
    pageOfAll: keys.pageOfAll,
    ending: keys.ending,
    find: keys.find,
    onChange: keys.onChange,
    /** False while every look-up asks the database, because the memory may lack a change. */
    isAnsweringFromMemory: keys.keySync.isFresh,
    start: lastUses.start,
    /** Writes what is in memory. */
    stop: lastUses.stop,
  }
}
