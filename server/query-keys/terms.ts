import { isPattern } from '../../shared/method-pattern.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Limit } from '../../shared/limits.ts'
import type { Plan } from '../../shared/plans.ts'
import type { DefaultLimits, QueryKeyForm } from '../../shared/query-keys.ts'
import type { NewKey } from '../keys/editing.ts'
import type { FurtherLimits } from '../limits/limits.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import type { CappedKey, PlanNameOf, Plans } from '../plans/plans.ts'
import type { QueryKey } from './query-key.ts'

/** What an input says about limits: null, that there is none; nothing, that it is as usual. */
export type GivenLimits = Pick<
  QueryKeyForm,
  'rateLimit' | 'rateLimitPeriod' | 'creditsLimit' | 'creditsLimitPeriod'
>

/** The limits that hold for a key: those given, or else the installation's of this moment. */
export const effectiveLimits = (given: GivenLimits, defaults: DefaultLimits): DefaultLimits => ({
  rate: limitOf(given.rateLimit, given.rateLimitPeriod, defaults.rate),
  credits: limitOf(given.creditsLimit, given.creditsLimitPeriod, defaults.credits),
})

function limitOf(
  units: number | null | undefined,
  period: Limit['period'] | null | undefined,
  usual: Limit | null,
): Limit | null {
  if (units === null || period === null) return null
  return units === undefined || period === undefined ? usual : { units, period }
}

/** What a change says about limits, with the number or the period that it leaves as the key has it. */
export const completeLimits = (named: GivenLimits, { rate, credits }: DefaultLimits): GivenLimits => ({
  ...(isPart(named.rateLimit, named.rateLimitPeriod) && {
    rateLimit: rate?.units,
    rateLimitPeriod: rate?.period,
  }),
  ...(isPart(named.creditsLimit, named.creditsLimitPeriod) && {
    creditsLimit: credits?.units,
    creditsLimitPeriod: credits?.period,
  }),
  ...named,
})

/** Whether one is named without the other; null as a number needs no period. */
const isPart = (units: number | null | undefined, period: Limit['period'] | null | undefined): boolean =>
  units !== null && (units === undefined) !== (period === undefined)

interface CallLists {
  readonly allowedMethods: readonly string[]
  readonly allowedContracts: readonly string[]
  readonly moreEndpoints: readonly string[]
}

/** The lists of what a key may call, each entry once. Addresses are compared in lower case. */
export const callListsOf = ({ allowedMethods, allowedContracts, moreEndpoints }: CallLists): CallLists => ({
  allowedMethods: [...new Set(allowedMethods)],
  allowedContracts: [...new Set(allowedContracts.map((address) => address.toLowerCase()))],
  moreEndpoints: [...new Set(moreEndpoints)],
})

/** What an installation knows. */
export interface KnownNames {
  readonly endpoints: readonly string[]
  readonly types: readonly string[]
}

/** Names that the installation does not know, each with the known ones. `endpoint` is not looked at when absent. */
export function unknownNames(
  given: {
    readonly type: string
    readonly endpoint?: string
    readonly moreEndpoints?: readonly string[]
  },
  known: KnownNames,
): InvalidField[] {
  const problems: InvalidField[] = []
  if (!known.types.includes(given.type)) {
    problems.push({ path: ['type'], message: oneOf(known.types, 'no kind of key is configured') })
  }
  if (given.endpoint !== undefined && !known.endpoints.includes(given.endpoint)) {
    problems.push({ path: ['endpoint'], message: oneOf(known.endpoints, 'no endpoint is configured') })
  }
  return [...problems, ...unknownFurther(given.moreEndpoints ?? [], { moreEndpoints: [] }, known)]
}

/** Names of further endpoints that the installation does not know. One that was removed may stay in the list. */
export const unknownFurther = (
  names: readonly string[],
  before: Pick<CallLists, 'moreEndpoints'>,
  { endpoints }: KnownNames,
): InvalidField[] =>
  names.flatMap((name, place) =>
    isPattern(name) || endpoints.includes(name) || before.moreEndpoints.includes(name)
      ? []
      : [{ path: ['moreEndpoints', place], message: oneOf(endpoints, 'no endpoint is configured') }],
  )

const maxListed = 100

function oneOf(names: readonly string[], none: string): string {
  if (names.length === 0) return none
  const listed = names.slice(0, maxListed).map((name) => JSON.stringify(name))
  if (names.length > maxListed) listed.push('…')
  return listed.length === 1 ? `expected ${listed[0]}` : `expected one of ${listed.join(', ')}`
}

/** The plans of accounts, as far as they bound keys. */
export interface KeyPlans extends Pick<Plans, 'find' | 'problemsOf' | 'cap' | 'furtherLimitsOf'> {
  readonly nameOf: PlanNameOf
}

interface PlanCapsOptions {
  readonly plans: KeyPlans
  /** How many keys an account has. */
  readonly count: (sql: TransactionSql, accountId: string) => Promise<number>
  readonly defaultLimits: () => DefaultLimits
}

export type PlanCaps = ReturnType<typeof createPlanCaps>

/** Holds keys that are made or edited to the plan of their account, in the transaction of the change. */
export function createPlanCaps({ plans, count, defaultLimits }: PlanCapsOptions) {
  async function planOf(sql: TransactionSql, accountId: string): Promise<Plan | null> {
    const name = await plans.nameOf(sql, accountId)
    if (name === null) return null
    const plan = plans.find(name)
    if (plan === null)
      throw fault('conflict', `The plan ${name} of this account is not declared at present; ask the operator`)
    return plan
  }

  return {
    /**
     * Returns new keys as the plan has them; `refuse` throws when it is given problems, of the key at a place. Fault:
     * `conflict` for more keys than the plan allows.
     */
    async ofNew(
      sql: TransactionSql,
      accountId: string,
      made: readonly NewKey<QueryKey>[],
      refuse: (problems: readonly (readonly InvalidField[])[]) => void,
    ): Promise<readonly NewKey<QueryKey>[]> {
      const plan = await planOf(sql, accountId)
      if (plan === null) return made
      // What nobody has to ask for; an endpoint has to be asked for.
      const usual: CappedKey = { ...blank, ...defaultLimits() }
      refuse(made.map(({ key }) => plans.problemsOf(plan, key, usual)))
      const wanted = (await count(sql, accountId)) + made.length
      if (plan.maxKeys !== undefined && wanted > plan.maxKeys)
        throw tooManyKeys(plan.name, plan.maxKeys, wanted)
      return made.map(({ key, value }) => ({ key: plans.cap(plan, key, null), value }))
    },

    /** Returns an edited key likewise; what was not changed may go beyond the plan. */
    async ofEdited(
      sql: TransactionSql,
      before: QueryKey,
      after: QueryKey,
      refuse: (problems: readonly InvalidField[]) => void,
    ): Promise<QueryKey> {
      const plan = await planOf(sql, before.accountId)
      if (plan === null) return after
      refuse(plans.problemsOf(plan, after, before))
      return plans.cap(plan, after, before)
    },
  }
}

const blank = { endpoint: '', moreEndpoints: [], allowedMethods: [], createdAt: 0, expiresAt: null } as const

/** Without a plan, and before a key is read with the plan of its account, as by every process when it has changed. */
export const noFurther: readonly FurtherLimits[] = []

const tooManyKeys = (plan: string, most: number, wanted: number): Fault =>
  fault(
    'conflict',
    `The plan ${plan} allows ${most} query ${most === 1 ? 'key' : 'keys'}, and the account would have ${wanted}: delete ${wanted - most} first, or ask for another plan`,
  )
