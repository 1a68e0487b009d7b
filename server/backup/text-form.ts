import type { Sql } from '../platform/database.ts'

/** Milliseconds that a dump or a restore may take: long enough for a large database, and an end for a stuck reader. */
export const longestCopyMs = 6 * 3_600_000

/**
 * Prepares the rest of the transaction: values written as text are read back as the same values (pg_dump sets the same),
 * and the time limits for short statements do not apply.
 */
export async function settleTextForm(sql: Sql): Promise<void> {
  await sql`
    SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),
      set_config('IntervalStyle', 'postgres', true), set_config('extra_float_digits', '1', true),
      set_config('bytea_output', 'hex', true),
      set_config('statement_timeout', ${String(longestCopyMs)}, true),
      set_config('idle_in_transaction_session_timeout', ${String(longestCopyMs)}, true)`
}

/** Returns names as a quoted SQL list. They come from the catalogue or from a checked header, and contain no quotes. */
export const nameList = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
