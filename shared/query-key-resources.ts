import * as z from 'zod/mini'

import { apiKeyBounds, ApiKeyState, EntryList } from './api-keys.ts'
import { Instant, RfcInstant } from './instants.ts'
import { Period } from './periods.ts'
import {
  callLists,
  formLimitFields,
  MoreEndpoints,
  queryKeyBounds,
  QueryKeyName,
  QueryKeyType,
} from './query-keys.ts'
import { idText, nameText, text } from './text.ts'

/** Bounds of one page of query keys. */
export const queryKeyPage = { limit: 1_000, defaultLimit: 100 } as const

const units = z.nullable(z.int()).check(z.meta({ description: 'null: no limit' }))
/** What a caller reads in the document, where a number in a query string is of no type yet. */
const wholeNumber = { type: 'integer', minimum: 1, maximum: queryKeyPage.limit }
const expectedLimit = `expected a whole number from 1 to ${queryKeyPage.limit}`
const yesOrNo = z.enum(['true', 'false'])

const fields = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  endpoint: z.string(),
  rateLimit: units,
  rateLimitPeriod: z.nullable(Period),
  creditsLimit: units,
  creditsLimitPeriod: z.nullable(Period),
  allowedIps: z
    .array(z.string())
    .check(z.meta({ description: 'addresses and networks from which it works; empty: any' })),
  allowedDomains: z
    .array(z.string())
    .check(z.meta({ description: 'domains from whose pages it works; empty: any' })),
  allowedMethods: z
    .array(z.string())
    .check(z.meta({ description: 'methods that it may call; empty: all of the endpoint' })),
  allowedContracts: z
    .array(z.string())
    .check(z.meta({ description: 'contracts that its calls may name; empty: any' })),
  moreEndpoints: z
    .array(z.string())
    .check(z.meta({ description: 'further endpoints at which it works; empty: only `endpoint`' })),
  enabled: z.boolean(),
  state: ApiKeyState.check(z.meta({ description: 'expired is an end, whether the key is enabled or not' })),
  hint: z.string().check(z.meta({ description: 'prefix and last four characters of the value' })),
  createdAt: RfcInstant,
  expiresAt: z.nullable(RfcInstant).check(z.meta({ description: 'null: never' })),
  debugEndsAt: z.nullable(RfcInstant).check(
    z.meta({
      description: 'until then the request log keeps the parameters of its calls; null: it does not',
    }),
  ),
  lastUsedAt: z.nullable(RfcInstant).check(z.meta({ description: 'to the minute; null: not yet' })),
  previous: z
    .nullable(z.object({ hint: z.string(), endsAt: RfcInstant }))
    .check(z.meta({ description: 'the value before the last rotation, while it still works' })),
})

/** A query key over REST, without its value. */
export const QueryKeyResource = fields.check(z.meta({ id: 'QueryKey' }))
export type QueryKeyResource = z.infer<typeof QueryKeyResource>

/** Which of an account's query keys, and from where on. */
export const QueryKeysQuery = z.strictObject({
  endpoint: z.optional(text({ max: queryKeyBounds.endpointChars })),
  type: z.optional(QueryKeyType),
  name: z.optional(
    nameText(apiKeyBounds.nameChars).check(
      z.meta({ description: 'a part of the name, in any case of letters' }),
    ),
  ),
  enabled: z.optional(yesOrNo),
  limit: z._default(
    z.coerce.number(expectedLimit).check(
      z.refine(
        (limit) => Number.isInteger(limit) && limit >= 1 && limit <= queryKeyPage.limit,
        expectedLimit,
      ),
      z.meta({
        ...wholeNumber,
        description: `keys of a page, at most ${queryKeyPage.limit}`,
        examples: [100],
      }),
    ),
    queryKeyPage.defaultLimit,
  ),
  cursor: z.optional(text({ max: 200 }).check(z.meta({ description: 'nextCursor of the page before' }))),
})
export type QueryKeysQuery = z.infer<typeof QueryKeysQuery>

/** The answer to `GET /account/query-keys`: the newest first. */
export const QueryKeysAnswer = z.object({
  items: z.array(QueryKeyResource),
  nextCursor: z.nullable(z.string()).check(z.meta({ description: 'null: this is the last page' })),
})
export type QueryKeysAnswer = z.infer<typeof QueryKeysAnswer>

export const QueryKeyPath = z.strictObject({ id: idText(64) })

const changeable = {
  name: z.optional(QueryKeyName),
  type: z.optional(QueryKeyType),
  ...formLimitFields,
  allowedIps: z.optional(EntryList),
  allowedDomains: z.optional(EntryList),
  allowedMethods: z.optional(callLists.allowedMethods),
  allowedContracts: z.optional(callLists.allowedContracts),
  moreEndpoints: z.optional(MoreEndpoints),
  expiresAt: z.optional(z.nullable(Instant)),
  enabled: z.optional(z.boolean()),
  debug: z.optional(
    z.boolean().check(
      z.meta({
        description: 'true: the request log keeps the parameters of its calls for an hour from now',
      }),
    ),
  ),
} as const

/**
 * The body of `PATCH /account/query-keys/{id}`: what is not named stays as it is. Limits are whole with what stays: the
 * number of one may be changed without its period, and the other way round.
 */
export const QueryKeyChange = z.strictObject(changeable).check(
  z.refine((change) => Object.keys(change).length > 0, {
    error: `expected at least one of ${Object.keys(changeable).join(', ')}`,
  }),
  z.meta({ examples: [{ rateLimit: 100, rateLimitPeriod: 'minute' }] }),
)
export type QueryKeyChange = z.infer<typeof QueryKeyChange>

/** Whether the change is active in every process; otherwise it is within a few seconds. */
const propagated = z.boolean().check(
  z.meta({
    description: 'false: a process has not confirmed the change yet, and may use the key as it was',
  }),
)

export const ChangedQueryKey = z.extend(fields, { propagated }).check(z.meta({ id: 'ChangedQueryKey' }))
export type ChangedQueryKey = z.infer<typeof ChangedQueryKey>

export const DeletedQueryKey = z.object({ id: z.string(), propagated })
export type DeletedQueryKey = z.infer<typeof DeletedQueryKey>

/** The body of `POST /account/query-keys/{id}/rotate`. */
export const QueryKeyRotation = z.strictObject({
  overlapSeconds: z
    ._default(z.int().check(z.minimum(0), z.maximum(apiKeyBounds.overlapMs / 1_000)), 0)
    .check(z.meta({ description: 'for how long the value of now goes on to work' })),
})
export type QueryKeyRotation = z.infer<typeof QueryKeyRotation>

/** The answer to a rotation. */
export const RotatedQueryKey = z
  .extend(fields, {
    propagated,
    key: z.string().check(z.meta({ description: 'the new value: shown here once' })),
    url: z.string().check(z.meta({ description: 'where JSON-RPC calls go, the new value included' })),
  })
  .check(z.meta({ id: 'RotatedQueryKey' }))
export type RotatedQueryKey = z.infer<typeof RotatedQueryKey>

const LimitUse = z
  .nullable(z.object({ limit: z.int(), period: Period, used: z.int(), remaining: z.int() }))
  .check(z.meta({ description: 'null: no limit' }))

/** The answer to `GET /account/query-keys/{id}/limits`: what was used in the period that ends now. */
export const QueryKeyLimits = z.object({ keyId: z.string(), rate: LimitUse, credits: LimitUse })
export type QueryKeyLimits = z.infer<typeof QueryKeyLimits>
