import { index, pgTable, smallint, text } from 'drizzle-orm/pg-core'

import { type CountedTables, tableOf } from './table-names.ts'
import { instant } from '../platform/postgres/columns.ts'

/*
 * The tables of usage that drizzle-kit can describe. Those with the counts are partitioned by time, which it cannot:
 * they stand in a hand-written migration.
 */

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

/** Every key that was ever used, or deleted, with its last known name: statistics outlive their key. */
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

/**
 * How far counts are rolled up, of each kind of calls (`table-names.ts`): rows of hours hold everything before
 * `hoursBefore`, and rows of days everything before `daysBefore`. The hour or day that is being closed, and the last rows of
 * it that were made, are null where none is.
 */
export const usageRollups = pgTable('usage_rollups', {
  id: text('id').primaryKey(),
  hoursBefore: instant('hours_before').notNull(),
  daysBefore: instant('days_before').notNull(),
  closing: text('closing'),
  closingFrom: instant('closing_from'),
  afterAccount: text('after_account'),
  afterLevel: smallint('after_level'),
  afterKey: text('after_key'),
})
