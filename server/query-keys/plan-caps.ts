import type { InvalidField } from '../../shared/faults.ts'
import type { DefaultLimits } from '../../shared/query-keys.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { Plan } from '../../shared/plans.ts'
import type { NewKey } from '../keys/editing.ts'
import type { FurtherLimits } from '../limits/limits.ts'
import type { CappedKey, PlanNameOf, Plans } from '../plans/plans.ts'
import type { QueryKey } from './query-key.ts'

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
    const plan = plans.find(name)
    if (name !== null && plan === null)
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
        throw fault(
          'conflict',
          `maxKeys: the plan ${plan.name} allows ${plan.maxKeys} query keys, and the account would have ${wanted}: delete one first`,
        )
      return made.map(({ key, value }) => ({ key: plans.cap(plan, key), value }))
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
      return plans.cap(plan, after)
    },
  }
}

const blank = { endpoint: '', moreEndpoints: [], allowedMethods: [], createdAt: 0, expiresAt: null } as const

/** Before a key is read with the plan of its account, as by every process when it has changed. */
export const notReadYet: readonly FurtherLimits[] = []
