import type { QueryKeyView } from '../../shared/query-keys.ts'
import {
  filterKeyList,
  isKeyListFiltered,
  keyListFromQuery,
  queryOfKeyList,
  queryText,
  wholeKeyList,
} from '../keys/key-list-view.ts'
import type { AddressQuery, KeyListView } from '../keys/key-list-view.ts'

/** What is shown of the list, as it stands in the address of the page; an empty text narrows nothing. */
export interface QueryKeyListView extends KeyListView {
  readonly endpoint: string
}

export const wholeList: QueryKeyListView = { ...wholeKeyList, endpoint: '' }

/** Reads the address; what makes no sense in it narrows nothing. */
export const viewFromQuery = (query: AddressQuery): QueryKeyListView => ({
  ...keyListFromQuery(query),
  endpoint: queryText(query, 'endpoint'),
})

/** The reverse of `viewFromQuery`. */
export const queryOfView = (view: QueryKeyListView): Record<string, string> => ({
  ...queryOfKeyList(view),
  ...(view.endpoint !== '' && { endpoint: view.endpoint }),
})

export const isFiltered = (view: QueryKeyListView): boolean => isKeyListFiltered(view) || view.endpoint !== ''

/** The keys that the filter lets through, in their own order. `now` in epoch ms. */
export const filterKeys = (
  keys: readonly QueryKeyView[],
  view: QueryKeyListView,
  now: number,
): readonly QueryKeyView[] =>
  filterKeyList(keys, view, now, ({ endpoint, type }) => `${endpoint} ${type}`).filter(
    ({ endpoint }) => view.endpoint === '' || endpoint === view.endpoint,
  )
