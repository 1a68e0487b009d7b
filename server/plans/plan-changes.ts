import { type Plan, planBounds } from '../../shared/plans.ts'
import type { AuditAction } from '../../shared/audit.ts'
import type { Audit, ChangedBy } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Sql, TransactionSql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import type { Plans } from './plans.ts'

/** What other domains know of a plan, by its name. */
export interface PlanUsers {
  readonly countAccounts: (sql: Sql, plan: string) => Promise<number>
  /** The ids of the query keys of all accounts that have it. */
  readonly keyIds: (sql: Sql, plan: string) => Promise<string[]>
}

interface PlanChangesOptions {
  readonly plans: Pick<Plans, 'declared' | 'nameAtSignUp'>
  readonly replicas: Pick<KeyReplicas, 'change'>
  readonly users: PlanUsers
  readonly record: Audit['record']
  /** Epoch ms. */
  readonly now: () => number
}

export type PlanChanges = ReturnType<typeof createPlanChanges>

/**
 * What operators do with plans that the file does not declare. Every process holds accounts to a changed plan when the call
 * returns, or `propagated` is false. Nothing of an account is deleted by it.
 */
export function createPlanChanges({ plans, replicas, users, record, now }: PlanChangesOptions) {
  /** Throws the fault `conflict` for a plan of the file. */
  function refuseOfFile(name: string): void {
    if (plans.declared().some((plan) => plan.name === name))
      throw fault('conflict', "This plan is in the installation's file: change it there")
  }

  const put = (sql: TransactionSql, plan: Plan) => sql`
    INSERT INTO plans (name, plan, updated_at)
    VALUES (${plan.name}, ${JSON.stringify(plan)}::text::jsonb, ${new Date(now())})
    ON CONFLICT (name) DO UPDATE SET plan = excluded.plan, updated_at = excluded.updated_at`

  /** `work` gets the plan as it is stored, null for none, and returns it as it is to be. */
  async function change(
    by: ChangedBy,
    action: AuditAction & `plan.${string}`,
    name: string,
    work: (sql: TransactionSql, before: Plan | null) => Promise<Plan | null>,
  ): Promise<{ name: string; propagated: boolean }> {
    const { propagated } = await replicas.change('plan', async (sql) => {
      const [row] = await sql<{ plan: Plan }[]>`SELECT plan FROM plans WHERE name = ${name} FOR UPDATE`
      const before = row?.plan ?? null
      const after = await work(sql, before)
      const ids = await users.keyIds(sql, name)
      const facts = { ...(before && { before: { ...before } }), ...(after && { after: { ...after } }) }
      await record(sql, { ...by, action, subject: { kind: 'plan', id: name }, ...facts })
      return { ids: [name], further: [{ kind: 'query_key', ids }], result: null }
    })
    return { name, propagated }
  }

  return {
    /** Fault: `conflict` where the name is taken, or there are too many. */
    create: (by: ChangedBy, plan: Plan) =>
      change(by, 'plan.create', plan.name, async (sql, before) => {
        if (before !== null || plans.declared().some(({ name }) => name === plan.name))
          throw fault('conflict', 'name: there is a plan of this name already')
        const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM plans`
        if ((row?.count ?? 0) >= planBounds.plans)
          throw fault(
            'conflict',
            `There are ${planBounds.plans} plans, the most there may be: delete one first`,
          )
        await put(sql, plan)
        return plan
      }),

    /** Puts a plan in the place of the one of its name. Faults: `not_found`, `conflict`. */
    update: (by: ChangedBy, plan: Plan) =>
      change(by, 'plan.update', plan.name, async (sql, before) => {
        refuseOfFile(plan.name)
        if (before === null) throw unknownPlan()
        await put(sql, plan)
        return plan
      }),

    /** Faults: `not_found`; `conflict` for a plan that accounts have, or that new ones get. */
    remove: (by: ChangedBy, name: string) =>
      change(by, 'plan.delete', name, async (sql, before) => {
        refuseOfFile(name)
        if (before === null) throw unknownPlan()
        const count = await users.countAccounts(sql, name)
        if (count > 0)
          throw fault(
            'conflict',
            `The plan ${name} is that of accounts (${count}): give them another one first`,
          )
        if (plans.nameAtSignUp() === name)
          throw fault(
            'conflict',
            `New accounts get the plan ${name} (signUp in the installation's file): name another one there first`,
          )
        await sql`DELETE FROM plans WHERE name = ${name}`
        return null
      }),
  }
}

const unknownPlan = (): Fault => fault('not_found', 'There is no plan of this name')
