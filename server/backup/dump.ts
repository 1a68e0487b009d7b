import { createHash } from 'node:crypto'

import type { Database, Sql } from '../platform/database.ts'
import { type TableShape, formatVersion, recordLine } from './format.ts'
import { readMigrationVersion, readPartitions, readShapes } from './inventory.ts'
import { ownTables, unsavedTables } from './tables.ts'
import { longestCopyMs, nameList, settleTextForm } from './text-form.ts'

/** Takes the next bytes of a backup and resolves when there is room for more; false when the reader has gone. */
export type BackupSink = (bytes: Uint8Array) => Promise<boolean>

/** Rows are collected to about this many bytes before they are written as one record. */
const recordBytes = 128 * 1024
const lineBreak = 0x0a

/**
 * Writes all tables as they are at one moment, with no more than one record in memory, however slow the sink. Returns
 * false when the reader went before the end. Throws what the database throws.
 */
export function dumpDatabase(database: Database, createdAt: number, sink: BackupSink): Promise<boolean> {
  return database.transaction(async (sql) => {
    await beginSnapshot(sql)
    await settleTextForm(sql)
    const tables = await readShapes(sql, ownTables)
    const hash = createHash('sha256')
    const write: BackupSink = (bytes) => {
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
      const count = unsavedTables.has(table.name) ? 0 : await dumpTable(sql, table, write)
      if (count === null) return false
      rows[table.name] = count
    }
    return sink(recordLine({ kind: 'end', rows, sha256: hash.digest('hex') }))
  }, longestCopyMs)
}

/**
 * Begins a transaction that reads one snapshot. `Database` begins its transactions at the default isolation level and
 * runs a statement at once, after which the level is fixed (PostgreSQL manual, SET TRANSACTION). Nothing was changed
 * yet, so that transaction is ended and another begun, on the same connection and in one message.
 */
async function beginSnapshot(sql: Sql): Promise<void> {
  await sql.unsafe('COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

/** Writes the rows of one table and returns their number, or null when the reader has gone. */
async function dumpTable(sql: Sql, { name, columns }: TableShape, write: BackupSink): Promise<number | null> {
  // COPY takes a query here because a partitioned table itself cannot be copied out.
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
    // The stream is read to its end even so: destroying it leaves the connection paused, and with it the transaction.
    if (!isWanted) continue
    collected.push(row)
    bytes += row.length
    if (bytes >= recordBytes) await passOn()
  }
  // postgres.js 3.4.9 pauses the socket when this stream is full and resumes when the stream asks for more, which never
  // happens if the end of the rows was received by then (porsager/postgres#499). The connection would hang from then on.
  copy._read(0)
  if (isWanted && bytes > 0) await passOn()
  return isWanted ? total : null
}

/** Returns the number of rows: one line is one row, because line breaks in values are escaped. */
function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) lines++
  return lines
}
