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

/** What one process spent since its batch before. */
export interface SpentBatch<Spent extends SpentUnits = SpentUnits> {
  /** The process; each start is another one. */
  readonly writer: string
  /** Greater than that of each batch that the writer has sent before. */
  readonly number: number
  readonly spent: readonly Spent[]
}

/** What was spent of the budgets of upstreams, in PostgreSQL: all processes add to it, and it survives a restart. */
export interface BudgetStore {
  /**
   * Adds units, and returns what all processes have spent of the same budgets. A batch that was added already adds nothing,
   * so one of unknown outcome is sent again unchanged, and none after it before that one has succeeded.
   */
  add(batch: SpentBatch): Promise<SpentUnits[]>
  /** Returns what was spent in periods that began at this instant or later, and removes what is older. */
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
    async add({ writer, number, spent }) {
      const rows = await database.run(
        (sql) => sql<BudgetRow[]>`
          WITH added AS (
            INSERT INTO upstream_budget_writers AS last (id, batch) VALUES (${writer}, ${String(number)}::bigint)
            ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE last.batch < excluded.batch
            RETURNING id)
          INSERT INTO upstream_budgets AS known (endpoint, upstream, unit, period_from, used)
          SELECT endpoint, upstream, unit, period_from, CASE WHEN EXISTS (SELECT FROM added) THEN units ELSE 0 END
          FROM unnest(
            ${spent.map(({ endpoint }) => endpoint)}::text[], ${spent.map(({ upstream }) => upstream)}::text[],
            ${spent.map(({ unit }) => unit)}::text[], ${spent.map(({ from }) => String(from))}::bigint[],
            ${spent.map(({ units }) => String(units))}::bigint[])
            AS batch (endpoint, upstream, unit, period_from, units)
          ORDER BY 1, 2, 3, 4
          ON CONFLICT (endpoint, upstream, unit, period_from) DO UPDATE SET used = known.used + excluded.used
          RETURNING endpoint, upstream, unit, period_from, used`,
      )
      return rows.map(fromRow)
    },
    async load(since) {
      const rows = await database.run(async (sql) => {
        await sql`DELETE FROM upstream_budgets WHERE period_from < ${String(since)}`
        await sql`DELETE FROM upstream_budget_writers WHERE written_at < to_timestamp(${String(since)}::bigint / 1000.0)`
        return sql<BudgetRow[]>`SELECT endpoint, upstream, unit, period_from, used FROM upstream_budgets`
      })
      return rows.map(fromRow)
    },
  }
}
