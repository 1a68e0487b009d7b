import type { ApiKeyView } from '../../shared/api-keys.ts'

/** What API keys and query keys have in common, as their owner sees them. */
export type KeyView = Omit<ApiKeyView, 'permissions'>
