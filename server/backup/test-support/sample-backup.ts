import { createHash } from 'node:crypto'

import { type BackupHeader, type RowCounts, recordLine } from '../format.ts'

export function sampleHeader(changes: Partial<BackupHeader>): BackupHeader {
  return {
    kind: 'gatehouse-backup',
    version: 1,
    createdAt: 1_700_000_000_000,
    migration: { madeAt: 1_600_000_000_000, hash: 'abc' },
    tables: [
      { name: 'services', columns: ['id', 'name'] },
      { name: 'verifiers', columns: ['id', 'name'] },
    ],
    partitions: [],
    ...changes,
  }
}

interface SampleRows {
  readonly table: string
  /** The rows in the COPY text format. */
  readonly text: string
  readonly count: number
}

/** Returns a backup whose checksum is right, whether or not its rows are. */
export function sampleBackup(
  rows: readonly SampleRows[],
  counts = countsOf(rows),
  header = sampleHeader({}),
): Uint8Array {
  const parts = [recordLine(header)]
  for (const { table, text, count } of rows) {
    const bytes = Buffer.from(text)
    parts.push(recordLine({ kind: 'rows', table, bytes: bytes.length, count }), bytes)
  }
  const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
  return Buffer.concat([...parts, recordLine({ kind: 'end', rows: counts, sha256 })])
}

function countsOf(rows: readonly SampleRows[]): RowCounts {
  const counts: Record<string, number> = {}
  for (const { table, count } of rows) counts[table] = (counts[table] ?? 0) + count
  return counts
}
