import { createHash } from 'node:crypto'

import type { Database, Sql } from '../platform/database.ts'
import { formatVersion, recordLine } from './format.ts'
import type { TableShape } from './format.ts'
import { readMigrationVersion, readPartitions, readShapes } from './inventory.ts'
import { ownTables } from './tables.ts'
import { longestCopyMs, nameList, settleTextForm } from './text-form.ts'

/** Takes the next bytes of a backup when it has room for them; false when nobody wants them any more. */
export type Sink = (bytes: Uint8Array) => Promise<boolean>

/** Rows are collected to about this much before they are passed on. */
const recordBytes = 128 * 1024
const lineBreak = 0x0a

/**
 * Writes all tables as they are at one moment. Holds no more than one record in memory, however slow the sink.
 * False when the sink wanted no more before the end. Throws what the database throws.
 */
export function dumpDatabase(database: Database, createdAt: number, sink: Sink): Promise<boolean> {
  return database.transaction(async (sql) => {
    await beginSnapshot(sql)
    await settleTextForm(sql)
    const tables = await readShapes(sql, ownTables)
    const hash = createHash('sha256')
    const write: Sink = (bytes) => {
      hash.update(bytes)
      return sink(bytes)
    }
    const header = recordLine({
      kind: 'gatehouse-backup',
      version: formatVersion,
      createdAt,
      migration: await readMigrationVersion(sql),
      tables,
      partitions: await readPartitions(sql, ownTables),
    })
    if (!(await write(header))) return false

    const rows: Record<string, number> = {}
    for (const table of tables) {
      const count = await dumpTable(sql, table, write)
      if (count === null) return false
      rows[table.name] = count
    }
    return sink(recordLine({ kind: 'end', rows, sha256: hash.digest('hex') }))
  }, longestCopyMs)
}

/**
 * `Database` begins its transactions at the ordinary isolation level and asks something of them at once, after which
 * the level is fixed (PostgreSQL manual, SET TRANSACTION). Nothing was done yet, so this one is ended and another
 * begun, on the same connection and in one message.
 */
async function beginSnapshot(sql: Sql): Promise<void> {
  await sql.unsafe('COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

/** The number of rows; null when the sink wanted no more. */
async function dumpTable(sql: Sql, { name, columns }: TableShape, write: Sink): Promise<number | null> {
  // Of a query, as a partitioned table itself cannot be copied out.
  const copy = await sql.unsafe(`COPY (SELECT ${nameList(columns)} FROM "${name}") TO STDOUT`).readable()
  let isWanted = true
  let collected: Uint8Array[] = []
  let bytes = 0
  let total = 0

  async function passOn(): Promise<void> {
    const rows = Buffer.concat(collected)
    const count = countLines(rows)
    collected = []
    bytes = 0
    total += count
    const record = recordLine({ kind: 'rows', table: name, bytes: rows.length, count })
    isWanted = await write(Buffer.concat([record, rows]))
  }

  for await (const row of copy as AsyncIterable<Uint8Array>) {
    // Read to its end even so: a stream that is destroyed leaves the connection paused, and with it the transaction.
    if (!isWanted) continue
    collected.push(row)
    bytes += row.length
    if (bytes >= recordBytes) await passOn()
  }
  // postgres.js 3.4.9 pauses the socket when this stream is full, and goes on when the stream asks for more: never, if
  // the end of the rows was received by then (porsager/postgres#499). The connection would be deaf from now on.
  copy._read(0)
  if (isWanted && bytes > 0) await passOn()
  return isWanted ? total : null
}

/** One line is one row: line breaks in values are escaped. */
function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) lines++
  return lines
}
