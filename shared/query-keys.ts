import * as z from 'zod/mini'

import { ApiKeyState, apiKeyBounds, Entries, Instant } from './api-keys.ts'
import { Limit, LimitUnits } from './limits.ts'
import { Period } from './periods.ts'

/** Bounds of one create request. */
export const queryKeyBounds = { keysPerRequest: 100, typeChars: 100, endpointChars: 64 } as const

/** The kind of a key where nothing else is said. */
export const defaultQueryKeyType = 'freeRPC'

export const QueryKeyType = z.string().check(z.minLength(1), z.maxLength(queryKeyBounds.typeChars))

/** The four fields of the specification in which a key's limits are given. */
interface LimitFields {
  readonly rateLimit?: number | undefined
  readonly rateLimitPeriod?: Period | undefined
  readonly creditsLimit?: number | undefined
  readonly creditsLimitPeriod?: Period | undefined
}

const queryKeyFields = {
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(apiKeyBounds.nameChars),
      z.meta({ description: 'label of the query key', examples: ['wallet backend'] }),
    ),
  type: z._default(
    QueryKeyType.check(z.meta({ description: 'a kind of key that the operator has listed' })),
    defaultQueryKeyType,
  ),
  endpoint: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(queryKeyBounds.endpointChars),
      z.meta({ description: 'name of the configured endpoint that the key is for', examples: ['testnet'] }),
    ),
  rateLimit: z.optional(LimitUnits.check(z.meta({ description: 'requests per rateLimitPeriod' }))),
  rateLimitPeriod: z.optional(Period),
  creditsLimit: z.optional(LimitUnits.check(z.meta({ description: 'credits per creditsLimitPeriod' }))),
  creditsLimitPeriod: z.optional(Period),
} as const

const isWhole = (key: LimitFields, limit: 'rateLimit' | 'creditsLimit'): boolean =>
  (key[limit] === undefined) === (key[`${limit}Period`] === undefined)

const limitsAreWhole = [
  z.refine<LimitFields>((key) => isWhole(key, 'rateLimit'), {
    path: ['rateLimit'],
    error: 'expected rateLimit together with rateLimitPeriod, or neither of them',
  }),
  z.refine<LimitFields>((key) => isWhole(key, 'creditsLimit'), {
    path: ['creditsLimit'],
    error: 'expected creditsLimit together with creditsLimitPeriod, or neither of them',
  }),
] as const

/** The limits of keys of which none is given; without a limit here, such keys have none. */
export const QueryKeyDefaults = z
  .strictObject({
    rateLimit: z.optional(LimitUnits),
    rateLimitPeriod: z.optional(Period),
    creditsLimit: z.optional(LimitUnits),
    creditsLimitPeriod: z.optional(Period),
  })
  .check(...limitsAreWhole)
export type QueryKeyDefaults = z.infer<typeof QueryKeyDefaults>

/** One entry of `POST /account/create-api-keys`. A limit that is not given is the installation's default. */
export const QueryKeyInput = z.strictObject(queryKeyFields).check(...limitsAreWhole)
export type QueryKeyInput = z.infer<typeof QueryKeyInput>

/** The body of `POST /account/create-api-keys`: all of them are made, or none. */
export const CreateQueryKeys = z
  .array(QueryKeyInput)
  .check(z.minLength(1), z.maxLength(queryKeyBounds.keysPerRequest))
export type CreateQueryKeys = z.infer<typeof CreateQueryKeys>

/** What a person says in the console or at the command line: with the restrictions that API keys have, too. */
export const QueryKeyForm = z
  .strictObject({
    ...queryKeyFields,
    allowedIps: Entries, // addresses and networks; blank allows any
    allowedDomains: Entries, // with `*` as a wildcard; blank allows any
    expiresAt: z._default(z.nullable(Instant), null), // null: never
  })
  .check(...limitsAreWhole)
export type QueryKeyForm = z.infer<typeof QueryKeyForm>

/** One entry of the answer to `POST /account/create-api-keys`, in the order of the request. */
export const CreatedQueryKey = z
  .object({
    id: z.string(),
    key: z.string().check(z.meta({ description: 'the value of the key: shown here once' })),
    name: z.string(),
    type: z.string(),
    endpoint: z.string(),
    url: z.string().check(z.meta({ description: 'where JSON-RPC calls go, the key included' })),
    rateLimit: z.nullable(z.int()).check(z.meta({ description: 'null: no limit' })),
    rateLimitPeriod: z.nullable(Period),
    creditsLimit: z.nullable(z.int()).check(z.meta({ description: 'null: no limit' })),
    creditsLimitPeriod: z.nullable(Period),
    enabled: z.boolean(),
    createdAt: z.string().check(z.meta({ format: 'date-time' })),
  })
  .check(z.meta({ id: 'CreatedQueryKey' }))
export type CreatedQueryKey = z.infer<typeof CreatedQueryKey>

/** A key as its owner sees it, without its value. Instants are epoch ms. */
export const QueryKeyView = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  endpoint: z.string(),
  rate: z.nullable(Limit), // null: no limit
  credits: z.nullable(Limit),
  allowedIps: z.array(z.string()),
  allowedDomains: z.array(z.string()),
  createdAt: z.int(),
  expiresAt: z.nullable(z.int()),
  isEnabled: z.boolean(),
  state: ApiKeyState,
  hint: z.string(), // prefix and last four characters
  lastUsedAt: z.nullable(z.int()), // to the minute
  previous: z.nullable(z.object({ hint: z.string(), endsAt: z.int() })), // the value before the rotation still works
})
export type QueryKeyView = z.infer<typeof QueryKeyView>

/** How much of a key's limits is taken in the period that ends now. */
export const QueryKeyUse = z.object({
  keyId: z.string(),
  rateUsed: z.nullable(z.int()), // null: no limit
  creditsUsed: z.nullable(z.int()),
})
export type QueryKeyUse = z.infer<typeof QueryKeyUse>
