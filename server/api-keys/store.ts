import type { Permission } from '../../shared/api-keys.ts'
import type { Database } from '../platform/database.ts'
import { type KeyStore, createKeyStore } from '../keys/key-store.ts'
import { type StoredKeyRow, createStoredKeyReader, storedKeyColumns, storedKeyRow } from '../keys/rows.ts'
import { type ApiKey, apiKeyKind } from './api-key.ts'

/** API keys in PostgreSQL. */
export interface ApiKeyStore extends KeyStore<ApiKey> {
  keepLastUses(uses: readonly LastUse[]): Promise<void>
}

export interface LastUse {
  readonly id: string
  readonly at: number
}

interface ApiKeyRow extends StoredKeyRow {
  permissions: Permission[]
  last_used_at: Date | null
}

export function createApiKeyStore(database: Database): ApiKeyStore {
  const toStoredKey = createStoredKeyReader()
  const keys = createKeyStore<ApiKey, ApiKeyRow>(database, {
    kind: apiKeyKind,
    columns: [...storedKeyColumns, 'permissions', 'last_used_at'],
    toKey: (row) => ({
      ...toStoredKey(row),
      permissions: row.permissions,
      lastUsedAt: row.last_used_at?.getTime() ?? null,
    }),
    // Without the last use, which an edit in another process must not set back.
    toRow: (key) => ({ ...storedKeyRow(key), permissions: [...key.permissions] }),
  })

  return {
    ...keys,
    async keepLastUses(uses) {
      // Locked in one order: two processes that write the same keys must not wait for each other.
      await database.run(
        (sql) => sql`
          WITH uses AS (
            SELECT * FROM unnest(${uses.map(({ id }) => id)}::text[], ${uses.map(({ at }) => at)}::float8[])
              AS used (id, at)
          ), locked AS (
            SELECT api_keys.id, uses.at FROM api_keys JOIN uses USING (id) ORDER BY api_keys.id FOR UPDATE OF api_keys
          )
          UPDATE api_keys SET last_used_at = greatest(last_used_at, to_timestamp(locked.at / 1000))
          FROM locked WHERE api_keys.id = locked.id`,
      )
    },
  }
}
