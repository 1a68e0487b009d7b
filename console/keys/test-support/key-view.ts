import type { ApiKeyView } from '../../../shared/api-keys.ts'

/** An API key as the server tells of it. */
export const keyView = (key: Partial<ApiKeyView> = {}): ApiKeyView => ({
  id: key.name ?? 'key_1',
  name: 'Build server',
  permissions: [],
  allowedIps: [],
  allowedDomains: [],
  createdAt: 0,
  expiresAt: null,
  isEnabled: true,
  state: 'enabled',
  hint: 'gak_…x7Qz',
  lastUsedAt: null,
  previous: null,
  ...key,
})
