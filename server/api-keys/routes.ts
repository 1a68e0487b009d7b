import { Elysia } from 'elysia'

import { type ApiKeyView, ShownApiKey } from '../../shared/api-keys.ts'
import { fault } from '../platform/fault.ts'
import type { ApiKeyGuard, ApiKeys } from './api-keys.ts'
import { unauthorizedText } from '../platform/http/api-key-refusals.ts'

const noStore = { 'cache-control': 'private, no-store' } as const

/** Keys are managed in the console and at the command line; over REST a key can only be asked what it may do. */
export function apiKeyRoutes(apiKeys: ApiKeys, guard: ApiKeyGuard) {
  return new Elysia({ name: 'api-keys' }).use(guard).get(
    '/account/api-key',
    async ({ apiKey }) => {
      const key = await apiKeys.find(apiKey.accountId, apiKey.id)
      if (key === null) throw fault('unauthorized', unauthorizedText)
      return Response.json(shown(key), { headers: noStore })
    },
    {
      needs: 'valid_key',
      detail: {
        operationId: 'getApiKey',
        summary: 'What the API key of this request may do',
        description: 'Needs no permission: any key that works from here may ask.',
        tags: ['Account'],
      },
      response: { 200: ShownApiKey },
    },
  )
}

const shown = (key: ApiKeyView): ShownApiKey => ({
  id: key.id,
  name: key.name,
  permissions: key.permissions,
  allowedIps: key.allowedIps,
  allowedDomains: key.allowedDomains,
  enabled: key.isEnabled,
  createdAt: new Date(key.createdAt).toISOString(),
  expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
})
