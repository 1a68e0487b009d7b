import type { Database } from '../../platform/database.ts'

/** What an upstream was asked in a period, in the unit of its budget. */
export interface SpentUnits {
  readonly endpoint: string
  readonly upstream: string
  readonly unit: string
  /** When the period begins; ms since the epoch. */
  readonly from: number
  readonly units: number
}

/** What was spent of the budgets of upstreams, in PostgreSQL: all processes add to it, and it survives a restart. */
export interface BudgetStore {
  /** Adds units, and returns what all processes have spent of the same budgets. */
  add(spent: readonly SpentUnits[]): Promise<SpentUnits[]>
  /** Returns what was spent in periods that began at this instant or later, and removes the rest. */
  load(since: number): Promise<SpentUnits[]>
}

interface BudgetRow {
  endpoint: string
  upstream: string
  unit: string
  period_from: string
  used: string
}

const fromRow = ({ period_from: from, used, ...row }: BudgetRow): SpentUnits => ({
  ...row,
  from: Number(from),
  units: Number(used),
})

export function createBudgetStore(database: Database): BudgetStore {
  return {
    async add(spent) {
      if (spent.length === 0) return []
      const rows = await database.run(
        (sql) => sql<BudgetRow[]>`
          INSERT INTO upstream_budgets AS known (endpoint, upstream, unit, period_from, used)
          SELECT * FROM unnest(
            ${spent.map(({ endpoint }) => endpoint)}::text[], ${spent.map(({ upstream }) => upstream)}::text[],
            ${spent.map(({ unit }) => unit)}::text[], ${spent.map(({ from }) => String(from))}::bigint[],
            ${spent.map(({ units }) => String(units))}::bigint[])
          ORDER BY 1, 2, 3, 4
          ON CONFLICT (endpoint, upstream, unit, period_from) DO UPDATE SET used = known.used + excluded.used
          RETURNING endpoint, upstream, unit, period_from, used`,
      )
      return rows.map(fromRow)
    },
    async load(since) {
      const rows = await database.run(async (sql) => {
        await sql`DELETE FROM upstream_budgets WHERE period_from < ${String(since)}`
        return sql<BudgetRow[]>`SELECT endpoint, upstream, unit, period_from, used FROM upstream_budgets`
      })
      return rows.map(fromRow)
    },
  }
}
