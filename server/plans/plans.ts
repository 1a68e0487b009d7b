/**
 * Plans: what accounts may have and use. The installation's file declares them (`plans`), or operators make them
 * (`plan-changes.ts`, which every process has in memory by `stored-plans.ts`), and assign them to accounts (`accounts/`); new
 * accounts get the one that `signUp.plan` names.
 *
 * 1. When a query key is made or edited, `query-keys/terms.ts` asks for the plan of its account in the transaction of
 *    the change, and `caps.ts` says which fields ask for more than it allows.
 * 2. When a key is read into memory, `held-limits.ts` says which further limits its calls have to fit into: the most that the
 *    plan lets each key use, where the key's own limits allow more, and the sum for all keys of the account. `limits/`
 *    counts them; no call asks for a plan.
 * 3. A changed file, a changed plan, or another plan of an account has the keys read again, in every process
 *    (`compose/active-file.ts`, `plan-changes.ts`, `accounts/suspension.ts`). Under one name the file wins.
 *
 * A plan that allows less than is used deletes nothing: keys that exist go on up to what it allows, and no further one is
 * made until it fits. The file is refused while it lacks a plan that an account has, so that a mistake in it opens no limit.
 *
 * Limitations: processes read the file by themselves, so that for a moment they may hold an account to different numbers.
 * Lists of endpoints and methods and the age of keys are looked at when a key is made or edited, not at each call.
 */
import type { GatehouseFile } from '../../shared/gatehouse-file.ts'
import type { Plan } from '../../shared/plans.ts'
import type { Sql } from '../platform/database.ts'
import { type KeyProblems, type CappedKey, capKey, capProblems } from './caps.ts'
import { furtherLimitsOf } from './held-limits.ts'

export type { CappedKey, KeyProblems } from './caps.ts'

interface PlansOptions {
  /** The sections of the file that are active. */
  readonly declared: { readonly file: Pick<GatehouseFile, 'plans' | 'signUp'> }
  /** Those that operators made; none unless given. */
  readonly stored?: () => readonly Plan[]
}

export type Plans = ReturnType<typeof createPlans>

/** Returns the name of the plan of an account; null: it has none. */
export type PlanNameOf = (sql: Sql, accountId: string) => Promise<string | null>

/** The plans of the installation, by their names. */
export function createPlans({ declared, stored = () => [] }: PlansOptions) {
  const isDeclared = (name: string): boolean => declared.file.plans.some((plan) => plan.name === name)
  const all = (): readonly Plan[] => [
    ...declared.file.plans,
    ...stored().filter(({ name }) => !isDeclared(name)),
  ]
  const find = (name: string | null): Plan | null =>
    name === null ? null : (all().find((plan) => plan.name === name) ?? null)

  return {
    all,
    /** Those of the file. */
    declared: (): readonly Plan[] => declared.file.plans,
    /** Null for null, and for a name that is none. */
    find,
    /** Whether there is a plan of this name, as the database has it: what is in memory may be a moment behind. */
    async existsIn(sql: Sql, name: string): Promise<boolean> {
      if (isDeclared(name)) return true
      const rows = await sql`SELECT 1 FROM plans WHERE name = ${name}`
      return rows.length > 0
    },
    /** The plan of accounts that sign up from now on; null: none. */
    nameAtSignUp: (): string | null => declared.file.signUp.plan ?? null,
    /** The limits that calls with a key have to fit into besides its own. */
    furtherLimitsOf: (planName: string | null, key: Parameters<typeof furtherLimitsOf>[1]) =>
      furtherLimitsOf(find(planName), key),
    /** What of a new or edited key goes beyond a plan; `usual`: what nobody asked for, or what it was before. */
    problemsOf: (plan: Plan, key: CappedKey, usual: CappedKey): KeyProblems => capProblems(plan, key, usual),
    /** A key with what the plan decides where nothing is asked for; null for a new key, or what it was before its edit. */
    cap: capKey,
  }
}
