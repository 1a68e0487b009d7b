import type { AllKeysPage, AllKeysQuery } from '../../shared/all-keys.ts'
import type { Keys } from './keys.ts'
import { listCursorOf, listPositionIn } from './list-cursor.ts'
import type { StoredKey } from './stored-key.ts'

/** What accounts are called, by their ids; those that are deleted are not among them. */
export type AccountNamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Returns a page of the keys of all accounts with whose they are. Fault: `invalid_request` for a cursor that is none. */
export async function readAllKeys<View extends object>(
  { pageOfAll }: Pick<Keys<StoredKey, View>, 'pageOfAll'>,
  namesOf: AccountNamesOf,
  { account, search, cursor, limit }: AllKeysQuery,
): Promise<AllKeysPage<View>> {
  const after = cursor === undefined ? null : listPositionIn(cursor)
  const { keys, last } = await pageOfAll({ accountId: account ?? null, search, after, limit })
  const names = await namesOf([...new Set(keys.map(({ accountId }) => accountId))])
  return {
    keys: keys.map(({ accountId, key }) => ({
      ...key,
      owner: { id: accountId, name: names.get(accountId) ?? accountId },
    })),
    nextCursor: last === null ? null : listCursorOf(last),
  }
}
