import { permissionLabels } from '../../shared/api-keys.ts'
import type { ApiKeyView } from '../../shared/api-keys.ts'
import type { Column } from '../ui/sort-rows.ts'

export const apiKeyColumns: readonly Column<ApiKeyView>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  {
    key: 'permissions',
    title: 'Permissions',
    value: ({ permissions }) => permissions.map((permission) => permissionLabels[permission]).join(', '),
  },
  { key: 'key', title: 'Key' },
  { key: 'created', title: 'Created', value: ({ createdAt }) => createdAt },
  { key: 'lastUsed', title: 'Last used', value: ({ lastUsedAt }) => lastUsedAt },
  { key: 'expires', title: 'Expires', value: ({ expiresAt }) => expiresAt },
  { key: 'enabled', title: 'Enabled', value: ({ state }) => state },
  { key: 'menu', title: 'Actions', isTitleHidden: true },
]
