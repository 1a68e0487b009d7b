import type { Sql } from '../../platform/database.ts'
import { type CountedTables, tableOf } from '../table-names.ts'

/** A unit whose rows are made from those of the next shorter one when it is over. */
export type ClosedUnit = 'hours' | 'days'

/** How far rows are rolled up. Epoch ms; minus infinity where nothing is. */
export interface ClosedBefore {
  /** Rows of hours hold everything before this instant; rows of five minutes what is later. */
  readonly hours: number
  /** The same of days, and rows of hours. */
  readonly days: number
}

/** Names rows of one key, one method of all keys, or one account. Rows that are added up have the same. */
export interface RowGroup {
  readonly accountId: string
  readonly level: number
  readonly keyId: string
}

/** An hour or day that is being closed, a part at a time. */
export interface Closing {
  readonly unit: ClosedUnit
  /** Its beginning, epoch ms. */
  readonly from: number
  /** What is rolled up already; nobody reads it before the unit is closed. */
  readonly after: RowGroup
}

export interface RollupProgress {
  readonly closedBefore: ClosedBefore
  readonly closing: Closing | null
}

interface ProgressRow {
  hours_before: number
  days_before: number
  closing: ClosedUnit | null
  closing_from: number | null
  after_account: string | null
  after_level: number | null
  after_key: string | null
}

export const beforeAllGroups: RowGroup = { accountId: '', level: -1, keyId: '' }

/** Reads how far rows are rolled up. An answer from before is as good: what was read by it is never removed soon. */
export async function readProgress(sql: Sql, tables: CountedTables): Promise<RollupProgress> {
  const [row] = await sql<ProgressRow[]>`
    SELECT extract(epoch FROM hours_before)::float8 * 1000 AS hours_before,
      extract(epoch FROM days_before)::float8 * 1000 AS days_before,
      closing, extract(epoch FROM closing_from)::float8 * 1000 AS closing_from, after_account, after_level, after_key
    FROM usage_rollups WHERE id = ${tables}`
  if (row === undefined) return { closedBefore: { hours: -Infinity, days: -Infinity }, closing: null }
  const { closing, closing_from: from, after_account: accountId, after_level: level, after_key: keyId } = row
  const isClosing =
    closing !== null && from !== null && accountId !== null && level !== null && keyId !== null
  return {
    closedBefore: { hours: row.hours_before, days: row.days_before },
    closing: isClosing ? { unit: closing, from, after: { accountId, level, keyId } } : null,
  }
}

/** Stores it in the transaction that moved the rows, so that neither is ever there without the other. */
export async function writeProgress(
  sql: Sql,
  tables: CountedTables,
  { closedBefore, closing }: RollupProgress,
): Promise<void> {
  const row = {
    hours_before: instantText(closedBefore.hours),
    days_before: instantText(closedBefore.days),
    closing: closing?.unit ?? null,
    closing_from: closing === null ? null : instantText(closing.from),
    after_account: closing?.after.accountId ?? null,
    after_level: closing?.after.level ?? null,
    after_key: closing?.after.keyId ?? null,
  }
  // By way of text: the driver makes a Date of every other parameter, and infinity is none.
  await sql`
    INSERT INTO usage_rollups (id, hours_before, days_before, closing, closing_from, after_account, after_level, after_key)
    VALUES (${tables}, ${row.hours_before}::text::timestamptz, ${row.days_before}::text::timestamptz, ${row.closing},
      ${row.closing_from}::text::timestamptz, ${row.after_account}, ${row.after_level}, ${row.after_key})
    ON CONFLICT (id) DO UPDATE SET hours_before = excluded.hours_before, days_before = excluded.days_before,
      closing = excluded.closing, closing_from = excluded.closing_from, after_account = excluded.after_account,
      after_level = excluded.after_level, after_key = excluded.after_key`
}

export const instantText = (at: number): string =>
  at === -Infinity ? '-infinity' : new Date(at).toISOString()

/** The name of the table whose rows are made, and of the one that they are made from. */
export const sourceTableOf = (tables: CountedTables, unit: ClosedUnit) =>
  tableOf(tables, unit === 'hours' ? 'fives' : 'hours')
