import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** What was spent of the budgets of upstreams. Processes add to it within a second. */
export const upstreamBudgets = pgTable(
  'upstream_budgets',
  {
    endpoint: text('endpoint').notNull(),
    upstream: text('upstream').notNull(),
    unit: text('unit').notNull(), // requests or credits
    periodFrom: bigint('period_from', { mode: 'number' }).notNull(), // ms since the epoch
    used: bigint('used', { mode: 'number' }).notNull(),
  },
  ({ endpoint, upstream, unit, periodFrom }) => [
    primaryKey({ name: 'upstream_budgets_pkey', columns: [endpoint, upstream, unit, periodFrom] }),
  ],
)

/** The last batch that each process added: after a commit whose answer was lost, the same batch is sent again. */
export const upstreamBudgetWriters = pgTable('upstream_budget_writers', {
  id: text('id').primaryKey(), // each start of a server is a new writer
  batch: bigint('batch', { mode: 'number' }).notNull(),
  writtenAt: instant('written_at').notNull().defaultNow(),
})
