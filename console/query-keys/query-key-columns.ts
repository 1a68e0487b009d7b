import type { QueryKeyView } from '../../shared/query-keys.ts'
import type { Column } from '../ui/sort-rows.ts'

export const queryKeyColumns: readonly Column<QueryKeyView>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'endpoint', title: 'Endpoint', value: ({ endpoint }) => endpoint },
  { key: 'key', title: 'Key' },
  { key: 'limits', title: 'Use of its limits' },
  { key: 'created', title: 'Created', value: ({ createdAt }) => createdAt },
  { key: 'expires', title: 'Expires', value: ({ expiresAt }) => expiresAt },
  { key: 'lastUsed', title: 'Last used', value: ({ lastUsedAt }) => lastUsedAt },
  { key: 'enabled', title: 'Enabled', value: ({ state }) => state },
  { key: 'menu', title: 'Actions', isTitleHidden: true },
]
