import type { Database, TransactionSql } from '../platform/database.ts'
import { type ApiKey, textsOf } from './api-key.ts'
import type { ApiKeyRow, RowReader } from './rows.ts'

/** API keys in PostgreSQL. */
export interface ApiKeyStore {
  /** Null when the account has no such key. The row stays locked until the transaction ends. */
  lock(sql: TransactionSql, accountId: string, id: string): Promise<ApiKey | null>
  count(sql: TransactionSql, accountId: string): Promise<number>
  insert(sql: TransactionSql, key: ApiKey, sealedValue: string): Promise<void>
  /** Everything but the last use; `sealedValue` null: the value is the one it was. */
  save(sql: TransactionSql, key: ApiKey, sealedValue: string | null): Promise<void>
  remove(sql: TransactionSql, id: string): Promise<void>
  sealedValue(sql: TransactionSql, id: string): Promise<string>
  find(accountId: string, id: string): Promise<ApiKey | null>
  /** The newest first. */
  list(accountId: string): Promise<ApiKey[]>
  /** By the hash of a value, be it the newest or the one before. */
  findByHash(hash: string): Promise<ApiKey | null>
  /** Keys with an id behind `after`, in order of the ids; an empty page is the end. */
  page(after: string, limit: number): Promise<ApiKey[]>
  keepLastUses(uses: readonly LastUse[]): Promise<void>
}

export interface LastUse {
  readonly id: string
  readonly at: number
}

/** All but the sealed value, which leaves the database only to be shown. */
export const apiKeyColumns = [
  'id',
  'account_id',
  'name',
  'permissions',
  'allowed_ips',
  'allowed_domains',
  'expires_at',
  'is_enabled',
  'key_hash',
  'hint',
  'previous_key_hash',
  'previous_hint',
  'previous_ends_at',
  'created_at',
  'last_used_at',
] as const satisfies (keyof ApiKeyRow)[]

const instant = (at: number | null): Date | null => (at === null ? null : new Date(at))

/** Of the whole table: more than a page at once would hold up everything else that this process does. */
const pageDeadlineMs = 10_000

export function createApiKeyStore(database: Database, toApiKey: RowReader): ApiKeyStore {
  return {
    async lock(sql, accountId, id) {
      const [row] = await sql<ApiKeyRow[]>`
        SELECT ${sql(apiKeyColumns)} FROM api_keys WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`
      return row === undefined ? null : toApiKey(row)
    },
    async count(sql, accountId) {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM api_keys WHERE account_id = ${accountId}`
      return row?.count ?? 0
    },
    insert,
    save,
    async remove(sql, id) {
      await sql`DELETE FROM api_keys WHERE id = ${id}`
    },
    async sealedValue(sql, id) {
      const [row] = await sql<{ key_sealed: string }[]>`SELECT key_sealed FROM api_keys WHERE id = ${id}`
      if (row === undefined) throw new Error('a key without a sealed value')
      return row.key_sealed
    },
    async find(accountId, id) {
      const [row] = await database.run(
        (sql) => sql<ApiKeyRow[]>`
          SELECT ${sql(apiKeyColumns)} FROM api_keys WHERE id = ${id} AND account_id = ${accountId}`,
      )
      return row === undefined ? null : toApiKey(row)
    },
    async list(accountId) {
      const rows = await database.run(
        (sql) => sql<ApiKeyRow[]>`
          SELECT ${sql(apiKeyColumns)} FROM api_keys WHERE account_id = ${accountId} ORDER BY created_at DESC, id`,
      )
      return rows.map(toApiKey)
    },
    async findByHash(hash) {
      const [row] = await database.run(
        (sql) => sql<ApiKeyRow[]>`
          SELECT ${sql(apiKeyColumns)} FROM api_keys WHERE key_hash = ${hash} OR previous_key_hash = ${hash}`,
      )
      return row === undefined ? null : toApiKey(row)
    },
    async page(after, limit) {
      const rows = await database.run(
        (sql) =>
          sql<
            ApiKeyRow[]
          >`SELECT ${sql(apiKeyColumns)} FROM api_keys WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
        pageDeadlineMs,
      )
      return rows.map(toApiKey)
    },
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

async function insert(sql: TransactionSql, key: ApiKey, sealedValue: string): Promise<void> {
  const { allowedIps, allowedDomains } = textsOf(key)
  await sql`
    INSERT INTO api_keys (id, account_id, name, permissions, allowed_ips, allowed_domains, expires_at, is_enabled,
      key_hash, key_sealed, hint, created_at)
    VALUES (${key.id}, ${key.accountId}, ${key.name}, ${[...key.permissions]}::text[], ${allowedIps}::text[],
      ${allowedDomains}::text[], ${instant(key.expiresAt)}, ${key.isEnabled}, ${key.keyHash}, ${sealedValue},
      ${key.hint}, ${instant(key.createdAt)})`
}

async function save(sql: TransactionSql, key: ApiKey, sealedValue: string | null): Promise<void> {
  const { allowedIps, allowedDomains } = textsOf(key)
  await sql`
    UPDATE api_keys SET name = ${key.name}, permissions = ${[...key.permissions]}::text[],
      allowed_ips = ${allowedIps}::text[], allowed_domains = ${allowedDomains}::text[],
      expires_at = ${instant(key.expiresAt)}, is_enabled = ${key.isEnabled}, key_hash = ${key.keyHash},
      key_sealed = coalesce(${sealedValue}, key_sealed), hint = ${key.hint},
      previous_key_hash = ${key.previous?.hash ?? null}, previous_hint = ${key.previous?.hint ?? null},
      previous_ends_at = ${instant(key.previous?.endsAt ?? null)}
    WHERE id = ${key.id}`
}
