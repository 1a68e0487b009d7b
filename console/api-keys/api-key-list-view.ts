import { permissionLabels, permissions } from '../../shared/api-keys.ts'
import type { ApiKeyView, Permission } from '../../shared/api-keys.ts'
import type { AddressQuery } from '../address-query.ts'
import {
  filterKeyList,
  isKeyListFiltered,
  keyListFromQuery,
  queryOfKeyList,
  wholeKeyList,
} from '../keys/key-list-view.ts'
import type { KeyListView } from '../keys/key-list-view.ts'

/** What is shown of the list, as it stands in the address of the page. */
export interface ApiKeyListView extends KeyListView {
  readonly permission: Permission | null
}

export const wholeApiKeyList: ApiKeyListView = { ...wholeKeyList, permission: null }

/** Reads the address; what it does not know counts as absent. */
export const apiKeyViewFromQuery = (query: AddressQuery): ApiKeyListView => ({
  ...keyListFromQuery(query),
  permission: permissions.find((permission) => permission === query['permission']) ?? null,
})

/** The reverse of `apiKeyViewFromQuery`. */
export const apiKeyQueryOf = (view: ApiKeyListView): Record<string, string> => ({
  ...queryOfKeyList(view),
  ...(view.permission !== null && { permission: view.permission }),
})

export const isApiKeyListFiltered = (view: ApiKeyListView): boolean =>
  isKeyListFiltered(view) || view.permission !== null

/** The keys that the filter lets through, in their own order. `now` in epoch ms. */
export const filterApiKeys = (
  keys: readonly ApiKeyView[],
  view: ApiKeyListView,
  now: number,
): readonly ApiKeyView[] =>
  filterKeyList(keys, view, now, ({ permissions: granted }) =>
    granted.map((permission) => permissionLabels[permission]).join(' '),
  ).filter(({ permissions: granted }) => view.permission === null || granted.includes(view.permission))
