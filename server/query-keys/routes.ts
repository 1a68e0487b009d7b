import { Elysia } from 'elysia'

import { CreateQueryKeys, CreatedQueryKeys, IdempotencyHeaders } from '../../shared/query-keys.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { refusals } from '../platform/http/refusals.ts'
import { callerOf, requestIdOf } from '../platform/http/request-facts.ts'
import type { QueryKeys } from './query-keys.ts'

const headers = { 'cache-control': 'no-store' } as const

/** Query keys are created by REST; all else is done to them in the console and at the command line. */
export function queryKeyRoutes(
  queryKeys: QueryKeys,
  guard: ApiKeyGuard,
  /** Fault: `rate_limited`. */
  countMutations: (accountId: string, count: number) => Promise<void>,
) {
  return new Elysia({ name: 'query-keys' }).use(guard).post(
    '/account/create-api-keys',
    async ({ apiKey, body, request, headers: { 'idempotency-key': idempotencyKey = null } }) => {
      const author = {
        accountId: apiKey.accountId,
        actor: { id: apiKey.id, label: `API key ${apiKey.name}` },
        ip: callerOf(request).address,
        requestId: requestIdOf(request),
      }
      // One, however many keys: each has to be deleted by a change of its own before more fit below the cap.
      await countMutations(apiKey.accountId, 1)
      const created = await queryKeys.createAll(author, body, idempotencyKey)
      return Response.json(created, { status: 201, headers })
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
          'Creates 1 to 100 query keys, all of them or none. A limit that is not given is the default of this installation. A month is any 30 days. Needs the permission Token Create.',
        tags: ['Account'],
        responses,
      },
      response: { 201: CreatedQueryKeys, ...refusals(409) },
    },
  )
}

const refusal = (description: string, code: string, message: string, more: object = {}) => ({
  description,
  content: { 'application/json': { example: { error: { code, message } } } },
  ...more,
})

const retryAfter = {
  headers: {
    'Retry-After': { description: 'seconds until it is worth trying again', schema: { type: 'integer' } },
  },
} as const

/** What the schemas of the answers do not say. */
const responses = {
  201: {
    description: 'The keys, in the order of the request. Their values are shown here only.',
    headers: {
      'Cache-Control': { description: 'no-store', schema: { type: 'string' } },
      'X-Request-Id': { description: 'finds the request in our log', schema: { type: 'string' } },
    },
  },
  400: refusal('The body is not JSON', 'bad_request', 'The body is not valid JSON in UTF-8'),
  401: refusal(
    'No API key that works; the same answer for all of them',
    'unauthorized',
    'A valid API key is needed, as Authorization: Bearer <API key>',
  ),
  403: refusal(
    'The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission',
    'permission_missing',
    'This key lacks the permission Token Create: tick it in the key',
  ),
  409: refusal(
    'The Idempotency-Key was used for another body, or its request is under way; or the account has too many keys',
    'conflict',
    'This Idempotency-Key was used for another request: use a new one',
    retryAfter,
  ),
  422: refusal(
    'A field is wrong; the message names its element. No key was created.',
    'invalid_request',
    '[2].rateLimit: expected a whole number from 1 to 1000000000000',
  ),
  429: refusal(
    'Too many requests with bad API keys from this address, or too many changes by the account of this one',
    'rate_limited',
    'Too many requests with a bad API key from this address',
    retryAfter,
  ),
  503: refusal(
    'The database does not answer. Repeat the request with its Idempotency-Key: no key is created twice.',
    'unavailable',
    'The database does not answer; try again shortly',
    retryAfter,
  ),
} as const
