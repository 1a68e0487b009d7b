import type { ApiKeyView } from '../../shared/api-keys.ts'
import type { QueryKeyView } from '../../shared/query-keys.ts'

/** What API keys and query keys have in common, as their owner sees them. API keys have no lists of calls. */
export type KeyView = Omit<ApiKeyView, 'permissions'> &
  Partial<Pick<QueryKeyView, 'allowedMethods' | 'allowedContracts'>>
