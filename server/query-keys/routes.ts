import { Elysia } from 'elysia'

import { CreateQueryKeys, CreatedQueryKeys, IdempotencyHeaders } from '../../shared/query-keys.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { refusals } from '../platform/http/refusals.ts'
import type { QueryKeys } from './query-keys.ts'
import { type CountChanges, apiKeyAuthor, createResponses, noStore } from './rest.ts'

/** Query keys are created in batches. Everything else that is done to them by REST is in `resource-routes.ts`. */
export function queryKeyRoutes(queryKeys: QueryKeys, guard: ApiKeyGuard, countMutations: CountChanges) {
  return new Elysia({ name: 'query-keys' }).use(guard).post(
    '/account/create-api-keys',
    async ({ apiKey, body, request, headers: { 'idempotency-key': idempotencyKey = null } }) => {
      // One, however many keys: each has to be deleted by a change of its own before more fit below the cap.
      const count = () => countMutations(apiKey.accountId, 1)
      const created = await queryKeys.createAll(apiKeyAuthor(apiKey, request), body, idempotencyKey, count)
      return Response.json(created, { status: 201, headers: noStore })
    },
    {
      needs: 'token_create',
      parse: jsonBody(),
      headers: IdempotencyHeaders,
      body: CreateQueryKeys,
      detail: {
        operationId: 'createQueryKeys',
        summary: 'Create query keys',
        description:
          'Creates 1 to 100 query keys, all of them or none. A limit that is not given is the default of this installation. Lists of addresses and domains, the expiration and a limit of `null` (none, whatever the default is) may be left out. A month is any 30 days. Needs the permission Token Create.',
        tags: ['Account'],
        responses: createResponses,
      },
      response: { 201: CreatedQueryKeys, ...refusals(409) },
    },
  )
}
