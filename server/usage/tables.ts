import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/*
 * The tables of usage that drizzle-kit can describe. Those with the counts are partitioned by time, which it cannot:
 * they stand in a hand-written migration.
 */

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/**
 * Writers of counts: each start of a server is a new writer. What a writer counted before `finalBefore` will not
 * change and can be rolled up; nothing older is accepted from it.
 */
export const usageWriters = pgTable('usage_writers', {
  id: text('id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  finalBefore: instant('final_before').notNull(),
})

/** Every key that was ever used, with its last known name: statistics outlive their key. */
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
