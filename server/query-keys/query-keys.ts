/**
 * Query keys: keys that let an app call an endpoint over the relay. What they have in common with API keys is in `keys/`.
 *
 * 1. `procedures.ts` has what people do in the console, `routes.ts` and `resource-routes.ts` the REST API, by which programs
 *    create keys in batches and administer them one by one; `editing.ts` has the use cases behind both, and `terms.ts`
 *    completes what was left out, such as limits. `list-cursor.ts` names the place where the next page of a list begins.
 * 2. `platform/idempotency/` gives the same answer to a repeated request for a day, so that no key is created twice.
 * 3. `authorization.ts` decides about each call of the relay, without SQL while memory is in step with the database.
 * 4. `key-activity.ts` is the port to usage and limits, which exist later than the keys.
 *
 * Failures: while the database is away, keys in memory go on for five minutes; a change that was made meanwhile elsewhere
 * therefore does not claim to be applied everywhere before that. All reasons for which a key is not valid look the same.
 *
 * An owner can have the request log keep the parameters of a key's calls for an hour (`debugEndsAt`); every process learns of
 * it as of any other change of the key.
 *
 * A key is made for one endpoint, and may work at further ones by name or pattern, with the same limits; calls are counted at
 * the endpoint that they are made at. A list filtered by endpoint shows the keys that were made for it.
 */
import type { Limit } from '../../shared/limits.ts'
import type { QueryKeyLimits, QueryKeysQuery } from '../../shared/query-key-resources.ts'
import type { DefaultLimits, QueryKeyUse, QueryKeyView } from '../../shared/query-keys.ts'
import type { Sql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { type KeysOptions, createKeys } from '../keys/keys.ts'
import { createIdempotency } from '../platform/idempotency/idempotency.ts'
import type { Log } from '../platform/log.ts'
import { createQueryKeyAuthorization } from './authorization.ts'
import { listCursorOf, listPositionIn } from '../keys/list-cursor.ts'
import { createQueryKeyEditing } from './editing.ts'
import { type KeyPlans, createPlanCaps } from './terms.ts'
import { queryKeyFacts, queryKeyKind, toQueryKeyView } from './query-key.ts'
import { readUsedLimits } from './used-limits.ts'
import { createQueryKeyStore } from './store.ts'

export type { QueryKey } from './query-key.ts'

/** What query keys need to know of the installation's endpoints. */
export interface KnownEndpoints {
  names(): readonly string[]
  /** Kinds of keys that the operator has listed. */
  keyTypes(): readonly string[]
  /** Of keys that are created without limits. */
  defaultLimits(): DefaultLimits
}

export interface QueryKeysOptions extends KeysOptions {
  readonly log: Log
  readonly world: {
    readonly endpoints: KnownEndpoints
    /** When those of these keys that were used were used last, by their ids; epoch ms, to the minute. */
    lastUses(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
    /** The ids of the keys that were used last, at most so many. */
    lastUsed(limit: number): Promise<readonly string[]>
    /** Where clients reach this installation: `scheme://host[:port]`. */
    origin(): string
    readonly plans: KeyPlans
    /** What a key has used of its limits now; null: the store of limits does not say. */
    limitsUse(id: string, limits: DefaultLimits): Promise<Omit<QueryKeyUse, 'keyId'> | null>
  }
}

export type QueryKeys = ReturnType<typeof createQueryKeys>

/** Keys for blockchain access, with what `createKeys` says of all keys. */
export function createQueryKeys(options: QueryKeysOptions) {
  const { database, vault, log, world } = options
  const { endpoints } = world
  const store = createQueryKeyStore(database, world.plans.furtherLimitsOf)
  const keys = createKeys(options, {
    kind: queryKeyKind,
    store,
    async views(sql, shown, now) {
      const ids = shown.map(({ id }) => id)
      const uses = await world.lastUses(sql, ids)
      return shown.map((key) => toQueryKeyView(key, uses.get(key.id) ?? null, now))
    },
    factsOf: queryKeyFacts,
  })
  const { hashOf, now } = keys
  const idempotency = createIdempotency({ database, vault, hashOf, now, log, isWaitedFor: false })

  return {
    ...createQueryKeyEditing(keys, {
      idempotency,
      known: () => ({ endpoints: endpoints.names(), types: endpoints.keyTypes() }),
      defaultLimits: endpoints.defaultLimits,
      caps: createPlanCaps({
        plans: world.plans,
        count: store.count,
        defaultLimits: endpoints.defaultLimits,
      }),
      urlOf: (endpoint, value) => `${world.origin()}/rpc/${endpoint}/${value}`,
    }),
    ...createQueryKeyAuthorization(keys),
    list: keys.list,
    /** How many keys an account has. */
    count: (accountId: string): Promise<number> => database.run((sql) => store.count(sql, accountId)),
    pageOfAll: keys.pageOfAll,
    ending: keys.ending,
    find: keys.find,
    onChange: keys.onChange,
    onDelete: keys.onDelete,

    /** A page of the account's keys, the newest first. Fault: `invalid_request` for a cursor that is none. */
    async page(
      accountId: string,
      query: QueryKeysQuery,
    ): Promise<{ keys: QueryKeyView[]; next: string | null }> {
      const { endpoint, type, name: namePart, enabled, limit } = query
      const equal = {
        ...(endpoint !== undefined && { endpoint }),
        ...(type !== undefined && { type }),
        ...(enabled !== undefined && { is_enabled: enabled === 'true' }),
      }
      const after = query.cursor === undefined ? null : listPositionIn(query.cursor)
      const found = await store.listPart(accountId, { equal, namePart, after, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      return { keys: await keys.views(shown), next: last === undefined ? null : listCursorOf(last) }
    },

    /** What a key has used of its limits now. Faults: `not_found`; `unavailable` while the limits do not say. */
    async limits(accountId: string, id: string): Promise<QueryKeyLimits> {
      const key = await store.find(accountId, id)
      if (key === null) throw fault('not_found', 'There is no query key of this id')
      const use = await world.limitsUse(id, key)
      if (use === null) {
        throw fault(
          'unavailable',
          'What was used of the limits is not known at the moment; try again shortly',
          {
            retryAfterSec: 2,
          },
        )
      }
      return {
        keyId: id,
        rate: limitUse(key.rate, use.rateUsed),
        credits: limitUse(key.credits, use.creditsUsed),
      }
    },

    /** How much of their limits keys of the account have used now; without those of which that is not known. */
    async uses(accountId: string, ids: readonly string[]): Promise<QueryKeyUse[]> {
      const stored = await store.list(accountId)
      const asked = stored.filter(({ id }) => ids.includes(id))
      const uses = await Promise.all(
        asked.map(async ({ id, rate, credits }) => ({
          keyId: id,
          use: await world.limitsUse(id, { rate, credits }),
        })),
      )
      return uses.flatMap(({ keyId, use }) => (use === null ? [] : [{ keyId, ...use }]))
    },

    /** What keys of all accounts have used of their limits of credits. */
    usedLimits: () => readUsedLimits(store, world),

    /** Answers that are kept for a day for repetitions. Happens by itself. */
    forgetOldAnswers: idempotency.cleaning.run,

    start: idempotency.cleaning.start,
    stop: idempotency.cleaning.stop,
  }
}

const limitUse = (limit: Limit | null, used: number | null): QueryKeyLimits['rate'] =>
  limit === null || used === null
    ? null
    : { limit: limit.units, period: limit.period, used, remaining: Math.max(0, limit.units - used) }
