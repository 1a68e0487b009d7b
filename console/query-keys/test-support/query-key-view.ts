import type { QueryKeyView } from '../../../shared/query-keys.ts'

/** A query key as the server tells of it. */
export const queryKeyView = (key: Partial<QueryKeyView> = {}): QueryKeyView => ({
  id: key.name ?? 'qkey_1',
  name: 'Wallet backend',
  type: 'freeRPC',
  endpoint: 'mainnet',
  rate: null,
  credits: null,
  allowedIps: [],
  allowedDomains: [],
  allowedMethods: [],
  allowedContracts: [],
  moreEndpoints: [],
  debugEndsAt: null,
  createdAt: 0,
  expiresAt: null,
  isEnabled: true,
  state: 'enabled',
  hint: 'gqk_…x7Qz',
  lastUsedAt: null,
  previous: null,
  ...key,
})
