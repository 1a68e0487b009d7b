import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/*
 * The tables of usage that drizzle-kit can describe. Those with the counts are partitioned by time, which it cannot:
 * they stand in a hand-written migration.
 */

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/**
 * Who writes counts: each start of a server is a writer of its own. What a writer has counted before `finalBefore` will
 * not change any more and is ready to be rolled up; nothing older is accepted from it again.
 */
export const usageWriters = pgTable('usage_writers', {
  id: text('id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  finalBefore: instant('final_before').notNull(),
})

/** Keys that were ever used, with the last name that is known of them: statistics outlive their key. */
export const usageKeys = pgTable(
  'usage_keys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    endpoint: text('endpoint').notNull(),
    name: text('name'), // null: not noted yet
    hint: text('hint'),
    lastUsedAt: instant('last_used_at').notNull(), // to the minute
  },
  (table) => [index('usage_keys_by_account').on(table.accountId)],
)
