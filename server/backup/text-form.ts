import type { Sql } from '../platform/database.ts'

/** A large database takes long; a forgotten reader must not hold its snapshot for ever. */
export const longestCopyMs = 6 * 3_600_000

/**
 * For the rest of the transaction: values written as text are read back as the same values (what pg_dump sets, too),
 * and the limits that are made for short statements do not apply.
 */
export async function settleTextForm(sql: Sql): Promise<void> {
  await sql`
    SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),
      set_config('IntervalStyle', 'postgres', true), set_config('extra_float_digits', '1', true),
      set_config('bytea_output', 'hex', true),
      set_config('statement_timeout', ${String(longestCopyMs)}, true),
      set_config('idle_in_transaction_session_timeout', ${String(longestCopyMs)}, true)`
}

/** Names as SQL wants them. They come from the catalogue or from a checked header, and hold no quotes. */
export const nameList = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
