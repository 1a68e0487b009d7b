import type { Plan } from '../../shared/plans.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database, Sql } from '../platform/database.ts'

/** The plans that operators made, in the order of their names. */
export async function readPlans(sql: Sql): Promise<Plan[]> {
  const rows = await sql<{ plan: Plan }[]>`SELECT plan FROM plans ORDER BY name`
  return rows.map(({ plan }) => plan)
}

interface StoredPlansOptions {
  readonly database: Database
  readonly replicas: Pick<KeyReplicas, 'keySync'>
}

/**
 * Keeps the plans of operators in the memory of this process. It has to exist before the query keys, which are read after it
 * and with it.
 */
export function createStoredPlans({ database, replicas }: StoredPlansOptions): { all(): readonly Plan[] } {
  let stored: readonly Plan[] = []
  async function reload(): Promise<void> {
    stored = await database.run(readPlans)
  }
  replicas.keySync.follow({ kind: 'plan', reload, refresh: reload })
  return { all: () => stored }
}
