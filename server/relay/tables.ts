import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

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
