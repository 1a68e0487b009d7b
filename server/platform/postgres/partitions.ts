import type { Database, TransactionSql } from '../database.ts'
import { dayMs } from '../../../shared/durations.ts'

/** A partition is for a day or a month (UTC). */
export type PartitionLength = 'day' | 'month'

/** One advisory lock for all who make partitions in a database; the number has no meaning beyond being ours. */
const partitionLock = 7_236_582_401

export const dayStart = (at: number): number => Math.floor(at / dayMs) * dayMs

const monthStart = (at: number, monthsLater = 0): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater)
}

const startOf = (at: number, length: PartitionLength): number =>
  length === 'day' ? dayStart(at) : monthStart(at)

const endOf = (start: number, length: PartitionLength): number =>
  length === 'day' ? start + dayMs : monthStart(start, 1)

/** Names of one table sort as their days or months do. */
export const partitionName = (table: string, at: number, length: PartitionLength = 'day'): string => {
  const digits = new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
  return `${table}_${length === 'day' ? digits : digits.slice(0, 6)}`
}

/**
 * Makes the partitions of these instants where there are none; others that do the same wait for the commit. `table` is
 * a name in the code, never what somebody sent.
 */
export async function makePartitions(
  sql: TransactionSql,
  table: string,
  instants: readonly number[],
  length: PartitionLength = 'day',
): Promise<void> {
  const starts = new Set(instants.map((at) => startOf(at, length)))
  if (starts.size === 0) return
  await sql`SELECT pg_advisory_xact_lock(${partitionLock})`
  for (const start of starts) {
    const [from, to] = [new Date(start).toISOString(), new Date(endOf(start, length)).toISOString()]
    // By a function with the rights of the tables' owner: our role may be one that changes rows only.
    await sql`
      SELECT gatehouse_make_partition(${table}::regclass, ${partitionName(table, start, length)}, ${from}::text, ${to}::text)`
  }
}

async function partitionNames(database: Database, table: string): Promise<string[]> {
  const partitions = await database.run(
    (sql) => sql<{ name: string }[]>`
      SELECT child.relname AS name FROM pg_inherits
      JOIN pg_class AS child ON child.oid = inhrelid JOIN pg_class AS parent ON parent.oid = inhparent
      WHERE parent.relname = ${table} AND parent.relnamespace = current_schema()::regnamespace`,
  )
  return partitions.map(({ name }) => name)
}

/** Returns the beginnings of the days for which a table has partitions, in order; epoch ms. */
export async function partitionDays(database: Database, table: string): Promise<number[]> {
  const names = await partitionNames(database, table)
  const days = names.flatMap((name) => {
    const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
    return day === undefined ? [] : Date.UTC(Number(year), Number(month) - 1, Number(day))
  })
  return days.toSorted((one, other) => one - other)
}

/** Drops every partition that ends before an instant. Returns the names of those that were there. */
export async function dropPartitions(
  database: Database,
  table: string,
  before: number,
  length: PartitionLength = 'day',
): Promise<string[]> {
  const oldestKept = partitionName(table, before, length)
  const old = (await partitionNames(database, table)).filter((name) => name < oldestKept)
  for (const name of old)
    await database.run((sql) => sql`SELECT gatehouse_drop_partition(${table}::regclass, ${name})`, 30_000)
  return old
}
