import * as z from 'zod/mini'

import { apiKeyBounds, Entries, StoredKeyView } from './api-keys.ts'
import { Limit, LimitUnits } from './limits.ts'
import { MethodPattern } from './method-pattern.ts'
import { Period } from './periods.ts'
import { Instant } from './instants.ts'
import { matching, nameText, text } from './text.ts'

/** Bounds of one create request. */
export const queryKeyBounds = {
  keysPerRequest: 100,
  typeChars: 100,
  endpointChars: 64,
  idempotencyKeyChars: 255,
  callEntries: 100,
  moreEndpoints: 50,
} as const

/** The kind of a key where nothing else is said. */
export const defaultQueryKeyType = 'freeRPC'

export const QueryKeyType = nameText(queryKeyBounds.typeChars)

/** The four fields of the specification in which a key's limits are given. */
interface LimitFields {
  readonly rateLimit?: number | null | undefined
  readonly rateLimitPeriod?: Period | null | undefined
  readonly creditsLimit?: number | null | undefined
  readonly creditsLimitPeriod?: Period | null | undefined
}

export const QueryKeyName = nameText(apiKeyBounds.nameChars).check(
  z.meta({ description: 'label of the query key', examples: ['wallet backend'] }),
)

const type = z._default(
  QueryKeyType.check(z.meta({ description: 'a kind of key that the operator has listed' })),
  defaultQueryKeyType,
)

const endpoint = text({ max: queryKeyBounds.endpointChars }).check(
  z.meta({ description: 'name of the configured endpoint that the key is for', examples: ['testnet'] }),
)

const limitFields = {
  rateLimit: z.optional(LimitUnits.check(z.meta({ description: 'requests per rateLimitPeriod' }))),
  rateLimitPeriod: z.optional(Period),
  creditsLimit: z.optional(LimitUnits.check(z.meta({ description: 'credits per creditsLimitPeriod' }))),
  creditsLimitPeriod: z.optional(Period),
} as const

/**
 * As `limitFields`; null says that there is no limit, whatever the installation's default is. Its period may be null, too, as
 * a key is answered, so that what was read can be sent back.
 */
export const formLimitFields = {
  ...limitFields,
  rateLimit: z
    .optional(z.nullable(LimitUnits))
    .check(z.meta({ description: 'requests per rateLimitPeriod; null: no limit' })),
  rateLimitPeriod: z.optional(z.nullable(Period)),
  creditsLimit: z
    .optional(z.nullable(LimitUnits))
    .check(z.meta({ description: 'credits per creditsLimitPeriod; null: no limit' })),
  creditsLimitPeriod: z.optional(z.nullable(Period)),
} as const

/** The address of a contract on an EVM chain, in letters of any case. */
export const ContractAddress = matching(
  /^0x[0-9a-fA-F]{40}$/,
  'expected the address of a contract: 0x and 40 hexadecimal digits',
)

/** Which calls a key may make of those that its endpoint relays. */
export const callLists = {
  allowedMethods: z.array(MethodPattern).check(
    z.maxLength(queryKeyBounds.callEntries),
    z.meta({
      description:
        'methods that it may call, `*` at the end stands for the rest of a name; none: all of the endpoint',
      examples: [['eth_call', 'eth_get*']],
    }),
  ),
  allowedContracts: z
    .array(
      matching(/^0x[0-9a-fA-F]{40}$/, 'expected the address of a contract: 0x and 40 hexadecimal digits'),
    )
    .check(
      z.maxLength(queryKeyBounds.callEntries),
      z.meta({
        description:
          'contracts that its calls may name, on EVM chains: as the recipient of eth_call, eth_estimateGas and sent transactions, and as the address of logs; methods of which that cannot be said are refused; none: any contract',
        examples: [['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48']],
      }),
    ),
} as const

/** Endpoints besides the one that the key is made for. */
export const MoreEndpoints = z
  .array(
    matching(
      /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|[a-z0-9-]*\*)$/,
      'expected the name of an endpoint, or a beginning such as eth-*',
    ).check(z.maxLength(queryKeyBounds.endpointChars)),
  )
  .check(
    z.maxLength(queryKeyBounds.moreEndpoints),
    z.meta({
      description:
        'further endpoints at which it works, with the same limits: names, or beginnings and `*`; none: only `endpoint`',
      examples: [['eth-*']],
    }),
  )

/** Where and until when a key works, and for what. */
export const restrictionFields = {
  allowedIps: Entries.check(
    z.meta({
      description: 'addresses and networks from which it works; none: any',
      examples: [['198.51.100.0/24']],
    }),
  ),
  allowedDomains: Entries.check(
    z.meta({
      description: 'domains from whose pages it works, `*` is a wildcard; none: any',
      examples: [['*.example.com']],
    }),
  ),
  expiresAt: z._default(z.nullable(Instant), null).check(z.meta({ description: 'null: never' })),
  allowedMethods: z._default(callLists.allowedMethods, []),
  allowedContracts: z._default(callLists.allowedContracts, []),
  moreEndpoints: z._default(MoreEndpoints, []),
} as const

function isWhole(key: LimitFields, limit: 'rateLimit' | 'creditsLimit'): boolean {
  const units = key[limit]
  const period = key[`${limit}Period`]
  return period === null ? units === null : (typeof units === 'number') === (period !== undefined)
}

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

/** Both limits as an input gives them, or as a key has them. */
export const WholeLimits = z.object(formLimitFields).check(...limitsAreWhole)

/** The limits of keys of which none is given; without a limit here, such keys have none. */
export const QueryKeyDefaults = z.strictObject(limitFields).check(...limitsAreWhole)
export type QueryKeyDefaults = z.infer<typeof QueryKeyDefaults>

/**
 * A new key: one entry of `POST /account/create-api-keys`, or what a person says in the console or at the command line.
 * A limit that is not given is the installation's default.
 */
export const QueryKeyForm = z
  .strictObject({ name: QueryKeyName, type, endpoint, ...formLimitFields, ...restrictionFields })
  .check(...limitsAreWhole)
export type QueryKeyForm = z.infer<typeof QueryKeyForm>

/** The body of `POST /account/create-api-keys`: all of them are made, or none. */
export const CreateQueryKeys = z.array(QueryKeyForm).check(
  z.minLength(1),
  z.maxLength(queryKeyBounds.keysPerRequest),
  z.meta({
    examples: [
      [
        {
          name: 'wallet backend',
          type: defaultQueryKeyType,
          endpoint: 'testnet',
          rateLimit: 100,
          rateLimitPeriod: 'minute',
          creditsLimit: 50_000,
          creditsLimitPeriod: 'day',
        },
      ],
    ],
  }),
)
export type CreateQueryKeys = z.infer<typeof CreateQueryKeys>

/** With the same key, a request that is sent again within 24 h gets the same answer. */
export const IdempotencyHeaders = z.object({
  'idempotency-key': z.optional(
    text({ max: queryKeyBounds.idempotencyKeyChars }).check(
      z.meta({
        description:
          'any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice',
        examples: ['5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11'],
      }),
    ),
  ),
})

/** Everything of a key that can be edited: all but its endpoint. A limit that is not given is the default of now. */
export const QueryKeyEdit = z
  .strictObject({ name: QueryKeyName, type, ...formLimitFields, ...restrictionFields })
  .check(...limitsAreWhole)
export type QueryKeyEdit = z.infer<typeof QueryKeyEdit>

/** Limits of keys that are created without limits. Null: none. */
export interface DefaultLimits {
  readonly rate: Limit | null
  readonly credits: Limit | null
}

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
    allowedIps: z.array(z.string()),
    allowedDomains: z.array(z.string()),
    allowedMethods: z.array(z.string()),
    allowedContracts: z.array(z.string()),
    moreEndpoints: z.array(z.string()),
    enabled: z.boolean(),
    createdAt: z.string().check(z.meta({ format: 'date-time' })),
    expiresAt: z.nullable(z.string().check(z.meta({ format: 'date-time' }))),
  })
  .check(z.meta({ id: 'CreatedQueryKey' }))
export type CreatedQueryKey = z.infer<typeof CreatedQueryKey>

/** The answer to `POST /account/create-api-keys`. */
export const CreatedQueryKeys = z.array(CreatedQueryKey).check(
  z.meta({
    examples: [
      [
        {
          id: 'qkey_0f3a5c7e9b1d2f4a6c8e0b1d',
          key: 'gqk_…',
          name: 'wallet backend',
          type: defaultQueryKeyType,
          endpoint: 'testnet',
          url: 'https://gatehouse.example.com/rpc/testnet/gqk_…',
          rateLimit: 100,
          rateLimitPeriod: 'minute',
          creditsLimit: 50_000,
          creditsLimitPeriod: 'day',
          allowedIps: [],
          allowedDomains: [],
          allowedMethods: [],
          allowedContracts: [],
          moreEndpoints: [],
          enabled: true,
          createdAt: '2026-01-31T12:00:00.000Z',
          expiresAt: null,
        },
      ],
    ],
  }),
)

/** A key as its owner sees it, without its value. Instants are epoch ms. */
export const QueryKeyView = z.extend(StoredKeyView, {
  type: z.string(),
  endpoint: z.string(),
  rate: z.nullable(Limit), // null: no limit
  credits: z.nullable(Limit),
  allowedMethods: z.array(z.string()), // blank: all that the endpoint relays
  allowedContracts: z.array(z.string()), // blank: any
  moreEndpoints: z.array(z.string()), // besides `endpoint`
  debugEndsAt: z.nullable(z.int()), // until then the request log keeps parameters; null: it does not
})
export type QueryKeyView = z.infer<typeof QueryKeyView>

/** Of how many keys the live use is asked at once. */
export const maxKeyUses = 50

/** How much of a key's limits is taken in the period that ends now. */
export const QueryKeyUse = z.object({
  keyId: z.string(),
  rateUsed: z.nullable(z.int()), // null: no limit
  creditsUsed: z.nullable(z.int()),
})
export type QueryKeyUse = z.infer<typeof QueryKeyUse>
