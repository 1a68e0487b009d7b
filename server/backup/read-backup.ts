import { createHash } from 'node:crypto'
import * as z from 'zod/mini'

import { parseJson } from '../platform/json.ts'
import { BackupHeader, BodyRecord, FailedRecord, type RowCounts, formatVersion } from './format.ts'
import { type ByteReader, createByteReader } from './byte-reader.ts'

/** Thrown for a backup that is not sound. The message completes a sentence that begins with "the backup". */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged'
}

/** A piece of a backup. `end` comes last, and only when the whole backup is sound. */
export type BackupPiece =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  /** Complete lines of the COPY text format. */
  | { readonly kind: 'rows'; readonly table: string; readonly count: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly rows: RowCounts }

/** Bytes of the longest line that is accepted. The header is the longest: it names every table and partition. */
const longestLine = 16 * 1024 * 1024
/** Bytes of the largest record that is accepted: more than a writer puts into one, and little enough for memory. */
const longestRows = 2 ** 31 - 1

/** Reads a backup piece by piece and checks it on the way. Throws `BackupDamaged`. */
export async function* readBackup(source: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPiece> {
  const reader = createByteReader(source)
  const hash = createHash('sha256')
  const headerLine = await readLine(reader)
  hash.update(headerLine)
  const header = parseHeader(headerLine)
  yield { kind: 'header', header }

  const rows = new Map(header.tables.map(({ name }) => [name, 0]))
  for (;;) {
    const line = await readLine(reader)
    const record = z.safeParse(BodyRecord, parseJson(line)).data
    if (record === undefined) throw new BackupDamaged('holds a line that makes no sense')
    if (record.kind === 'failed') throw new BackupDamaged(`was not finished: ${record.reason}`)
    if (record.kind === 'end') {
      if (record.sha256 !== hash.digest('hex')) throw new BackupDamaged('does not match its checksum')
      const counted = Object.fromEntries(rows)
      if (!Bun.deepEquals(record.rows, counted))
        throw new BackupDamaged('does not hold the rows that it counts')
      if (!(await reader.isAtEnd())) throw new BackupDamaged('goes on behind its end')
      yield { kind: 'end', rows: counted }
      return
    }
    const { table, count } = record
    const known = rows.get(table)
    if (known === undefined) throw new BackupDamaged(`has rows of a table that it does not name, ${table}`)
    const bytes = record.bytes > longestRows ? null : await reader.exactly(record.bytes)
    if (bytes === null) throw new BackupDamaged('is cut short')
    hash.update(line).update(bytes)
    rows.set(table, known + count)
    yield { kind: 'rows', table, count, bytes }
  }
}

async function readLine(reader: ByteReader): Promise<Uint8Array> {
  const line = await reader.line(longestLine)
  if (line === null) throw new BackupDamaged('is cut short')
  return line
}

function parseHeader(line: Uint8Array): BackupHeader {
  const value = parseJson(line)
  const parsed = z.safeParse(BackupHeader, value)
  if (parsed.success) return parsed.data
  const failed = z.safeParse(FailedRecord, value)
  if (failed.success) throw new BackupDamaged(`was not finished: ${failed.data.reason}`)
  const start = z.safeParse(z.object({ kind: z.literal('gatehouse-backup'), version: z.int() }), value)
  if (!start.success) throw new BackupDamaged('is no backup of Gatehouse, or its beginning is damaged')
  if (start.data.version === formatVersion) throw new BackupDamaged('has a damaged header')
  throw new BackupDamaged(
    `has format ${start.data.version}, and this version of Gatehouse reads ${formatVersion}`,
  )
}
