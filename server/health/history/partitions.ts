import type { TransactionSql } from '../../platform/database.ts'

/** Tables with a partition for each day (UTC). */
export type PartitionedTable = 'health_rollup_5m' | 'health_rollup_1h'

export const dayMs = 86_400_000
/** One advisory lock for all who make partitions in a database; the number has no meaning beyond being ours. */
const partitionLock = 7_236_582_401

export const dayStart = (at: number): number => Math.floor(at / dayMs) * dayMs

/** Names sort as their days do. */
export const partitionName = (table: PartitionedTable, at: number): string =>
  `${table}_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`

/** Makes the partitions of these instants where there are none; others that do the same wait for the commit. */
export async function makePartitions(
  sql: TransactionSql,
  table: PartitionedTable,
  instants: readonly number[],
): Promise<void> {
  const days = new Set(instants.map(dayStart))
  if (days.size === 0) return
  await sql`SELECT pg_advisory_xact_lock(${partitionLock})`
  for (const day of days) {
    const [from, to] = [new Date(day).toISOString(), new Date(day + dayMs).toISOString()]
    await sql.unsafe(
      `CREATE TABLE IF NOT EXISTS ${partitionName(table, day)} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`,
    )
  }
}
