import * as z from 'zod/mini'

import {
  AccountPlanChange,
  AccountRoleChange,
  type AccountRow,
  AccountState,
  Role,
  accountOrders,
  providers,
} from './accounts.ts'
import { type AuditEvent, AuditQuery } from './audit.ts'
import { EndpointSettings } from './call-settings.ts'
import { Chain, ChainKey, CustomChain, Family, type ListedChain } from './chains.ts'
import { CreditPrices, type EndpointDetails, EndpointUpdate, MethodRules } from './endpoints.ts'
import { Decision, HttpRule, Policy, PolicyOverrides } from './health.ts'
import { type ServiceSettings, ServiceUpdate } from './health-services.ts'
import { mergePatchOf } from './merge-patch.ts'
import { DeclaredCapabilities } from './node-capabilities.ts'
import { Month } from './months.ts'
import { type ListedPlan, Plan } from './plans.ts'
import type { StatementAnswer, StatementSum } from './statement.ts'
import { StatusPageSpec, type StatusPageView } from './status-pages.ts'
import { idText, matching, text } from './text.ts'
import { UpstreamBudget } from './upstream-budget.ts'

/**
 * What `/admin` shows and takes. What creates something is the schema of the console, the command line and the file; here is
 * what shows a thing, and what changes one that the address names. Types of the console say which fields there are.
 */

/** Items of a page of any list. */
export const adminPage = { limit: 100, defaultLimit: 50 } as const

/** What a caller reads in the document, where a number in a query string is of no type yet. */
const wholeNumber = { type: 'integer', minimum: 1, maximum: adminPage.limit }
const expectedLimit = `expected a whole number from 1 to ${adminPage.limit}`

const pageFields = {
  limit: z._default(
    z.coerce.number(expectedLimit).check(
      z.refine((limit) => Number.isInteger(limit) && limit >= 1 && limit <= adminPage.limit, expectedLimit),
      z.meta({ ...wholeNumber, description: `items of a page, at most ${adminPage.limit}` }),
    ),
    adminPage.defaultLimit,
  ),
  cursor: z.optional(text({ max: 400 }).check(z.meta({ description: 'nextCursor of the page before' }))),
}

/** Which part of a list. */
export const AdminListQuery = z.strictObject(pageFields)
export type AdminListQuery = z.infer<typeof AdminListQuery>

/** Which accounts: a part of an id, an identity or a name, and a state; and what comes first. */
export const AdminAccountsQuery = z.strictObject({
  ...pageFields,
  search: z.optional(text({ max: 200 })),
  state: z.optional(AccountState),
  order: z.optional(
    z
      .enum(accountOrders)
      .check(
        z.meta({ description: 'the newest, the last seen, or the busiest of the last seven days first' }),
      ),
  ),
})

const { actor, action, subjectKind, subjectId } = AuditQuery.shape

/** Which audit entries. */
export const AdminAuditQuery = z.strictObject({ ...pageFields, actor, action, subjectKind, subjectId })

/** Of which month of UTC; the current one unless given. */
export const AdminStatementsQuery = z.strictObject({
  ...pageFields,
  month: z.optional(Month.check(z.meta({ description: 'a month of UTC; the current one unless given' }))),
})

/** The version of what is changed or deleted, as it was read. */
export const IfMatchHeaders = z.object({
  'if-match': z.optional(
    matching(
      /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]{0,200}"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]{0,200}"){0,9})$/,
      'expected the ETag of an answer in its quotes, or *',
    ).check(
      z.meta({
        description:
          'the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there',
        examples: ['"nW3v8hDq0bT1yKcAx5Rz2g"'],
      }),
    ),
  ),
})

export const EpochInstant = z.int().check(z.meta({ description: 'epoch milliseconds' }))
export const managers = ['file', 'operator'] as const
export const ManagedBy = z
  .enum(managers)
  .check(z.meta({ description: 'what the file declares is changed there and nowhere else' }))

/** A service. What may be a credential is not shown: of addresses the origin, of headers the names. */
export const ServiceResource = z
  .object({
    id: z.string(),
    name: z.string(),
    family: Family,
    chain: z.nullable(z.string()),
    provider: z.string(),
    labels: z.readonly(z.array(z.string())),
    objective: z.nullable(z.number()),
    managedBy: ManagedBy,
    endpointOrigin: z.string(),
    webSocketOrigin: z.nullable(z.string()),
    headerNames: z.array(z.string()),
    hasCa: z.boolean(),
    rule: z.nullable(HttpRule),
    capabilities: DeclaredCapabilities,
    policy: PolicyOverrides,
    defaultPolicy: Policy,
  } satisfies FieldsOf<ServiceSettings>)
  .check(z.meta({ id: 'Service' }))

/** A schema for each field of a type, so that a field that is added to the type is added here. */
export type FieldsOf<Item> = { readonly [Name in keyof Item]-?: z.ZodMiniType<Item[Name]> }

const ShownChain = z.pick(Chain, { key: true, name: true })

const UpstreamResource = z.object({
  id: z.string(),
  serviceId: z.nullable(z.string()),
  host: z.nullable(z.string()),
  webSocketHost: z.nullable(z.string()),
  headerNames: z.array(z.string()),
  weight: z.int(),
  tier: z.int(),
  budget: z.nullable(UpstreamBudget),
  compression: z.nullable(z.boolean()),
  budgetUse: z.nullable(
    z.object({
      unit: z.enum(['requests', 'credits']),
      used: z.number(),
      amount: z.nullable(z.number()),
      endsAt: EpochInstant,
    }),
  ),
  decision: z.nullable(Decision),
  outBecause: z.nullable(z.string()),
} satisfies FieldsOf<EndpointDetails['upstreams'][number]>)

/** An endpoint, without the paths of its upstreams and the values of their headers. */
export const EndpointResource = z
  .object({
    name: z.string(),
    chain: ShownChain,
    family: Family,
    managedBy: ManagedBy,
    url: z.string().check(z.meta({ description: 'where calls go, with {key} in the place of the key' })),
    webSocketUrl: z.string(),
    upstreams: z.array(UpstreamResource),
    problem: z.nullable(z.string()),
    methods: MethodRules,
    credits: CreditPrices,
    settings: EndpointSettings,
    revision: z.nullable(z.string()),
  } satisfies FieldsOf<EndpointDetails>)
  .check(z.meta({ id: 'Endpoint' }))

/** A plan. */
export const PlanResource = z
  .object({
    ...Plan.shape,
    managedBy: ManagedBy,
    accounts: z.int(),
    isForSignUp: z.boolean(),
  } satisfies Partial<FieldsOf<ListedPlan>>)
  .check(z.meta({ id: 'Plan' }))

/** A chain that services and endpoints can be of. */
export const ChainResource = z
  .object({
    ...Chain.shape,
    managedBy: z.enum(['product', 'file', 'operator']),
    services: z.int(),
    endpoints: z.int(),
  } satisfies FieldsOf<Omit<ListedChain, 'custom'>>)
  .check(z.meta({ id: 'Chain' }))

/** A public status page. */
export const StatusPageResource = z
  .object({
    ...StatusPageSpec.shape,
    managedBy: ManagedBy,
    url: z.string(),
    previewUrl: z.nullable(z.string()),
    updatedAt: z.nullable(EpochInstant),
  } satisfies Partial<FieldsOf<StatusPageView>>)
  .check(z.meta({ id: 'StatusPage' }))

/** An account. */
export const AccountResource = z
  .object({
    id: z.string(),
    kind: z.enum(['person', 'team']),
    role: Role,
    state: AccountState,
    createdAt: EpochInstant,
    contact: z.nullable(z.object({ name: z.nullable(z.string()), email: z.nullable(z.string()) })),
    identities: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['wallet', ...providers]),
        subject: z.string(),
        label: z.nullable(z.string()),
        linkedAt: EpochInstant,
      }),
    ),
    plan: z.nullable(z.string()),
    lastSeenAt: z.nullable(EpochInstant),
    queryKeys: z.int(),
    apiKeys: z.int(),
    calls: z.int().check(z.meta({ description: 'of the last seven days, some minutes behind' })),
    credits: z.int().check(z.meta({ description: 'likewise' })),
  } satisfies FieldsOf<Omit<AccountRow, 'days'>>)
  .check(z.meta({ id: 'Account' }))

/** What an account used in a month. */
export const StatementResource = z
  .object({
    id: z.string(),
    month: z.string(),
    account: z.string(),
    calls: z.int().check(z.meta({ description: 'in a list some minutes behind' })),
    credits: z.int(),
    csv: z
      .optional(z.string())
      .check(z.meta({ description: 'of one statement: a line for each key, and the sum of all' })),
  } satisfies FieldsOf<StatementSum & Pick<StatementAnswer, 'month'>> & Record<'id' | 'csv', z.ZodMiniType>)
  .check(z.meta({ id: 'Statement' }))

const facts = z.nullable(z.record(z.string(), z.any()))

/** An entry of the audit log. */
export const AuditEntryResource = z
  .object({
    seq: z.int(),
    at: EpochInstant,
    actor: z.string(),
    actorLabel: z.string(),
    action: z.string(),
    subjectKind: z.string(),
    subjectId: z.string(),
    before: facts,
    after: facts,
    ip: z.nullable(z.string()),
    requestId: z.nullable(z.string()),
    previousHash: z.string(),
    hash: z.string(),
  } satisfies FieldsOf<AuditEvent>)
  .check(z.meta({ id: 'AuditEntry' }))

/** Changes of what the address names. What is left out stays. */
export const ServicePatch = z.omit(ServiceUpdate, { id: true })
export const EndpointPatch = z.extend(z.omit(EndpointUpdate, { name: true, revision: true }), {
  chain: z.optional(
    z.union([ChainKey, ShownChain], 'expected the key of a chain, or a chain as it is shown'),
  ),
})
export const PlanPatch = mergePatchOf(Plan, ['name'])
export const ChainPatch = mergePatchOf(CustomChain, ['key'])
export const StatusPagePatch = mergePatchOf(StatusPageSpec, ['page'])

const accountChanges = {
  state: z.optional(
    z
      .enum(['active', 'disabled'])
      .check(
        z.meta({ description: 'active: approves an account that waits, and enables one that is disabled' }),
      ),
  ),
  plan: z.optional(AccountPlanChange.shape.plan),
  role: z.optional(AccountRoleChange.shape.role),
}

/** A change of one field, for things of which each field takes effect in every process by itself. */
export const oneChangeOf = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.strictObject(fields).check(
    z.refine((change) => Object.keys(change).length === 1, {
      error: `expected one of ${Object.keys(fields).join(', ')}`,
    }),
  )

export const AccountPatch = oneChangeOf(accountChanges)
export type AccountPatch = z.infer<typeof AccountPatch>

/** Names an account by its id, a wallet's address, or an identity such as `github:583231`. */
export const AccountName = idText(200)
/** The number of an audit entry. */
export const AuditEntryNumber = matching(/^[1-9]\d{0,14}$/, 'the number of an entry')
