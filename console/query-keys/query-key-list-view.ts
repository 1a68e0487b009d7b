import type { QueryKeyUse, QueryKeyView } from '../../shared/query-keys.ts'
import { type AddressQuery, queryText } from '../address-query.ts'
import {
  filterKeyList,
  isKeyListFiltered,
  keyListFromQuery,
  queryOfKeyList,
  wholeKeyList,
} from '../keys/key-list-view.ts'
import type { KeyListView } from '../keys/key-list-view.ts'
import { isNearLimit } from './near-limit.ts'

/** What is shown of the list, as it stands in the address of the page; an empty text narrows nothing. */
export interface QueryKeyListView extends KeyListView {
  readonly endpoint: string
  /** Only keys of which most of a limit is used. */
  readonly limits: 'near' | ''
}

export const wholeQueryKeyList: QueryKeyListView = { ...wholeKeyList, endpoint: '', limits: '' }

/** Reads the address; what makes no sense in it narrows nothing. */
export const queryKeyViewFromQuery = (query: AddressQuery): QueryKeyListView => ({
  ...keyListFromQuery(query),
  endpoint: queryText(query, 'endpoint'),
  limits: queryText(query, 'limits') === 'near' ? 'near' : '',
})

/** The reverse of `queryKeyViewFromQuery`. */
export const queryKeyQueryOf = (view: QueryKeyListView): Record<string, string> => ({
  ...queryOfKeyList(view),
  ...(view.endpoint !== '' && { endpoint: view.endpoint }),
  ...(view.limits !== '' && { limits: view.limits }),
})

export const isQueryKeyListFiltered = (view: QueryKeyListView): boolean =>
  isKeyListFiltered(view) || view.endpoint !== '' || view.limits !== ''

/** The keys that the filter lets through, in their own order. `uses` by the keys' ids; `now` in epoch ms. */
export const filterQueryKeys = (
  keys: readonly QueryKeyView[],
  view: QueryKeyListView,
  uses: ReadonlyMap<string, QueryKeyUse>,
  now: number,
): readonly QueryKeyView[] =>
  filterKeyList(keys, view, now, ({ endpoint, type }) => `${endpoint} ${type}`)
    .filter(({ endpoint }) => view.endpoint === '' || endpoint === view.endpoint)
    .filter((key) => view.limits === '' || isNearLimit(key, uses.get(key.id)))
