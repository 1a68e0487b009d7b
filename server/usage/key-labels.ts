import type { KeepLabel } from '../keys/editing.ts'
import type { KeyLabel, UsageStore } from './store.ts'
import { type CountedTables, tableOf } from './table-names.ts'

/** Returns the query keys that an account has now; provided by the query-keys domain. */
export type KeysOf = (accountId: string) => Promise<readonly KeyLabel[]>

export interface ShownKey extends KeyLabel {
  readonly isDeleted: boolean
}

/** The names of keys for statistics. Deleted keys keep the last one that they had (`keepLabelsIn`). */
export interface KeyLabels {
  /** Returns every key that the account has, and every one that it had and used. */
  of(accountId: string): Promise<ReadonlyMap<string, ShownKey>>
  /** Marks a key as used, so that its name is stored once by this process. */
  used(key: { readonly keyId: string; readonly accountId: string }): void
  note(): Promise<void>
}

/**
 * Keeps labels for statistics, which outlive their key. A key that is deleted gets a row where it has none: its first use
 * may be on its way to the database.
 */
export const keepLabelsIn =
  (tables: CountedTables): KeepLabel =>
  async (sql, { id, accountId, name, hint, endpoint = '' }, isDeleted) => {
    const keys = sql(tableOf(tables, 'keys'))
    if (isDeleted) {
      await sql`
        INSERT INTO ${keys} (id, account_id, endpoint, last_used_at)
        VALUES (${id}, ${accountId}, ${endpoint}, to_timestamp(0)) ON CONFLICT (id) DO NOTHING`
    }
    await sql`UPDATE ${keys} SET name = ${name}, hint = ${hint}, endpoint = ${endpoint} WHERE id = ${id}`
  }

/** Allows every key in use; beyond it the set is emptied, because it would hold forgotten keys. */
const maxNoted = 200_000

export function createKeyLabels(store: UsageStore, keysOf: KeysOf): KeyLabels {
  const noted = new Set<string>()
  const accounts = new Set<string>()

  return {
    async of(accountId) {
      const [used, present] = await Promise.all([store.knownKeys(accountId), keysOf(accountId)])
      const labels = new Map<string, ShownKey>()
      for (const { id, name, hint, endpoint } of used) {
        labels.set(id, { id, name: name ?? 'deleted key', hint: hint ?? '', endpoint, isDeleted: true })
      }
      for (const { id, name, hint, endpoint } of present) {
        labels.set(id, { id, name, hint, endpoint, isDeleted: false })
      }
      return labels
    },
    used({ keyId, accountId }) {
      if (noted.has(keyId)) return
      if (noted.size > maxNoted) noted.clear()
      noted.add(keyId)
      accounts.add(accountId)
    },
    async note() {
      for (const accountId of accounts) {
        await store.noteLabels(await keysOf(accountId))
        accounts.delete(accountId)
      }
    },
  }
}
