import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

import { type CountedTables, tableOf } from './table-names.ts'

/*
 * The tables of usage that drizzle-kit can describe. Those with the counts are partitioned by time, which it cannot:
 * they stand in a hand-written migration.
 */

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/**
 * Writers of counts: each start of a server is a new writer. What a writer counted before `finalBefore` will not
 * change and can be rolled up; nothing older is accepted from it.
 */
const writersTable = (tables: CountedTables) =>
  pgTable(tableOf(tables, 'writers'), {
    id: text('id').primaryKey(),
    startedAt: instant('started_at').notNull(),
    finalBefore: instant('final_before').notNull(),
  })

/** Every key that was ever used, with its last known name: statistics outlive their key. */
const keysTable = (tables: CountedTables) =>
  pgTable(
    tableOf(tables, 'keys'),
    {
      id: text('id').primaryKey(),
      accountId: text('account_id').notNull(),
      endpoint: text('endpoint').notNull(),
      name: text('name'), // null: not noted yet
      hint: text('hint'),
      lastUsedAt: instant('last_used_at').notNull(), // to the minute
    },
    (table) => [index(`${tables}_keys_by_account`).on(table.accountId)],
  )

export const usageWriters = writersTable('usage')
export const usageKeys = keysTable('usage')
export const toolUsageWriters = writersTable('tool_usage')
export const toolUsageKeys = keysTable('tool_usage')
