import type { KeyLabel, UsageStore } from './store.ts'

/** Told by the query keys: those that an account has now. */
export type KeysOf = (accountId: string) => Promise<readonly KeyLabel[]>

export interface ShownKey extends KeyLabel {
  readonly isDeleted: boolean
}

/** What to call keys, deleted ones included: of them the last name that was noted is kept. */
export interface KeyLabels {
  /** Every key of the account, and every one that it had and used. */
  of(accountId: string): Promise<ReadonlyMap<string, ShownKey>>
  /** The key was used: its name is to be noted, unless that was done in this process. */
  used(key: { readonly keyId: string; readonly accountId: string }): void
  note(): Promise<void>
}

/** Enough for every key in use; more would be forgotten keys of a long life. */
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
