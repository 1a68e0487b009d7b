import { Elysia } from 'elysia'

import {
  ChangedQueryKey,
  DeletedQueryKey,
  QueryKeyChange,
  QueryKeyLimits,
  QueryKeyPath,
  QueryKeyResource,
  QueryKeyRotation,
  QueryKeysAnswer,
  QueryKeysQuery,
  RotatedQueryKey,
} from '../../shared/query-key-resources.ts'
import { IdempotencyHeaders } from '../../shared/query-keys.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { fault } from '../platform/fault.ts'
import { AnyFields, readChange } from '../platform/http/read-change.ts'
import { refusals } from '../platform/http/refusals.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import type { QueryKeys } from './query-keys.ts'
import { toQueryKeyResource } from './query-key.ts'
import { type CountChanges, apiKeyAuthor, described, noStore } from './rest.ts'

const path = '/account/query-keys'
/** Whoever may create keys has to see them, and whoever reads what they did has to know which they are. */
const readable = ['statistics_read', 'token_create'] as const

const json = (body: object): Response => Response.json(body, { headers: noStore })

/** Fault: `not_found`. */
async function shownKey(queryKeys: QueryKeys, accountId: string, id: string): Promise<QueryKeyResource> {
  const key = await queryKeys.find(accountId, id)
  if (key === null) throw fault('not_found', 'There is no query key of this id')
  return toQueryKeyResource(key)
}

/** The query keys of an account, as they are. */
export function queryKeyReadRoutes(queryKeys: QueryKeys, guard: ApiKeyGuard) {
  return new Elysia({ name: 'query-key-reads' })
    .use(guard)
    .get(
      path,
      async ({ apiKey, query }) => {
        const { keys, next } = await queryKeys.page(apiKey.accountId, query)
        return json({ items: keys.map(toQueryKeyResource), nextCursor: next })
      },
      {
        needs: readable,
        query: QueryKeysQuery,
        detail: described.list,
        response: { 200: QueryKeysAnswer, ...refusals(422) },
      },
    )
    .get(
      `${path}/:id`,
      async ({ apiKey, params }) => {
        return json(await shownKey(queryKeys, apiKey.accountId, params.id))
      },
      {
        needs: readable,
        params: QueryKeyPath,
        detail: described.get,
        response: { 200: QueryKeyResource, ...refusals(404) },
      },
    )
    .get(
      `${path}/:id/limits`,
      async ({ apiKey, params }) => json(await queryKeys.limits(apiKey.accountId, params.id)),
      {
        needs: readable,
        params: QueryKeyPath,
        detail: described.limits,
        response: { 200: QueryKeyLimits, ...refusals(404) },
      },
    )
}

/** Changes of one query key. */
export function queryKeyChangeRoutes(queryKeys: QueryKeys, guard: ApiKeyGuard, countMutations: CountChanges) {
  return new Elysia({ name: 'query-key-changes' })
    .use(guard)
    .patch(
      `${path}/:id`,
      async ({ apiKey, params, body, request }) => {
        const shown = await shownKey(queryKeys, apiKey.accountId, params.id)
        const change = readChange(QueryKeyChange, body, shown)
        if (change === null) return json({ ...shown, propagated: true })
        await countMutations(apiKey.accountId, 1)
        const { key, propagated } = await queryKeys.change(apiKeyAuthor(apiKey, request), params.id, change)
        return json({ ...toQueryKeyResource(key), propagated })
      },
      {
        needs: 'token_create',
        parse: jsonBody(),
        params: QueryKeyPath,
        body: AnyFields,
        detail: { ...described.change, reads: { body: QueryKeyChange } },
        response: { 200: ChangedQueryKey, ...refusals(404) },
      },
    )
    .delete(
      `${path}/:id`,
      async ({ apiKey, params: { id }, request }) => {
        await countMutations(apiKey.accountId, 1)
        const { propagated } = await queryKeys.delete(apiKeyAuthor(apiKey, request), id)
        return json({ id, propagated })
      },
      {
        needs: 'token_create',
        params: QueryKeyPath,
        detail: described.delete,
        response: { 200: DeletedQueryKey, ...refusals(404) },
      },
    )
    .post(
      `${path}/:id/rotate`,
      async ({ apiKey, params, body, request, headers: { 'idempotency-key': idempotencyKey = null } }) => {
        const count = () => countMutations(apiKey.accountId, 1)
        const overlapMs = body.overlapSeconds * 1_000
        const author = apiKeyAuthor(apiKey, request)
        const rotated = await queryKeys.rotate(author, params.id, overlapMs, idempotencyKey, count)
        const { key, value, url, propagated } = rotated
        return json({ ...toQueryKeyResource(key), key: value, url, propagated })
      },
      {
        needs: 'token_create',
        parse: jsonBody(),
        params: QueryKeyPath,
        headers: IdempotencyHeaders,
        body: QueryKeyRotation,
        detail: described.rotate,
        response: { 200: RotatedQueryKey, ...refusals(404) },
      },
    )
}
