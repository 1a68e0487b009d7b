import postgres from 'postgres'

import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { driverOptions } from '../../server/platform/postgres/connections.ts'

/** Everything that stands in a database: each row of each table that is not PostgreSQL's own, as COPY writes it. */
export async function dumpOf(url: string): Promise<{ tables: string[]; content: Buffer }> {
  const sql = postgres({ ...driverOptions(parseAddress(url)), max: 1 })
  try {
    const rows = await sql<{ name: string }[]>`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`
    const tables = rows.map(({ name }) => name)
    const parts: Uint8Array[] = []
    for (const table of tables) {
      const copy = await sql.unsafe(`COPY (SELECT * FROM ${table}) TO STDOUT`).readable()
      parts.push(Buffer.from(`${table}\n`))
      for await (const chunk of copy as AsyncIterable<Uint8Array>) parts.push(chunk)
      // postgres.js pauses the socket when this stream is full; see server/backup/dump.ts.
      copy._read(0)
    }
    return { tables, content: Buffer.concat(parts) }
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Runs one statement, for instance to make a role. */
export async function administer(url: string, statement: string): Promise<void> {
  const sql = postgres({ ...driverOptions(parseAddress(url)), max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
