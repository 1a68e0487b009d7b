import type { Sql } from '../platform/database.ts'
import type { MigrationVersion, Partition, RowCounts, TableShape } from './format.ts'

/** Returns the newest migration of the database. Throws when it was never migrated. */
export async function readMigrationVersion(sql: Sql): Promise<MigrationVersion> {
  const [newest] = await sql<{ hash: string; created_at: string }[]>`
    SELECT hash, created_at FROM drizzle.__drizzle_migrations ORDER BY created_at DESC LIMIT 1`
  if (!newest) throw new TypeError('the database was never migrated')
  return { hash: newest.hash, madeAt: Number(newest.created_at) }
}

/** Returns the tables, in the given order, with their columns that can be written. */
export async function readShapes(sql: Sql, tables: readonly string[]): Promise<TableShape[]> {
  const rows = await sql<{ name: string; columns: string[] }[]>`
    SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = current_schema()::regnamespace AND relname = ANY (${[...tables]}::text[])
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    GROUP BY relname`
  const columnsOf = new Map(rows.map(({ name, columns }) => [name, columns]))
  return tables.map((name) => {
    const columns = columnsOf.get(name)
    if (!columns) throw new TypeError(`there is no table ${name}`)
    return { name, columns }
  })
}

/** Returns the partitions by time of the tables. Requires a session whose time zone is UTC. */
export async function readPartitions(sql: Sql, tables: readonly string[]): Promise<Partition[]> {
  const rows = await sql<{ name: string; table: string; bounds: string }[]>`
    SELECT part.relname AS name, root.relname AS table, pg_get_expr(part.relpartbound, part.oid) AS bounds
    FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid JOIN pg_class AS root ON root.oid = inhparent
    WHERE root.relnamespace = current_schema()::regnamespace AND root.relname = ANY (${[...tables]}::text[])
      AND part.relispartition
    ORDER BY part.relname`
  return rows.map(({ name, table, bounds }) => {
    const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bounds) ?? []
    if (from === undefined || to === undefined)
      throw new TypeError(`${name} is no partition by time: ${bounds}`)
    return { name, table, from, to }
  })
}

/** Returns the number of rows of each table that is not empty. */
export async function countTableRows(sql: Sql, tables: readonly string[]): Promise<RowCounts> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await sql<{ count: string }[]>`SELECT count(*) AS count FROM ${sql(table)}`
    const count = Number(row?.count ?? 0)
    if (count > 0) counts[table] = count
  }
  return counts
}

/** Sets the sequence of each numbered column to continue after the highest number in use. */
export async function advanceSequences(sql: Sql, tables: readonly string[]): Promise<void> {
  const owned = await sql<{ sequence: string; table: string; column: string }[]>`
    SELECT seq.oid::regclass::text AS sequence, owner.relname AS table, attname::text AS column
    FROM pg_class AS seq
    JOIN pg_depend ON objid = seq.oid AND classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass
      AND deptype IN ('a', 'i')
    JOIN pg_class AS owner ON owner.oid = refobjid
    JOIN pg_attribute ON attrelid = owner.oid AND attnum = refobjsubid
    WHERE seq.relkind = 'S' AND owner.relnamespace = current_schema()::regnamespace
      AND owner.relname = ANY (${[...tables]}::text[])`
  for (const { sequence, table, column } of owned) {
    await sql`
      SELECT setval(${sequence}::regclass, (SELECT coalesce(max(${sql(column)}), 0) + 1 FROM ${sql(table)}), false)`
  }
}
