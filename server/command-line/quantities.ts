import type { RowCounts } from '../backup/format.ts'

/** `5.0 kB`, `12.3 MB`. */
export const byteSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** `services 3, verifiers 1`; tables without rows are left out. */
export function describeRows(rows: RowCounts): string {
  const filled = Object.entries(rows).filter(([, count]) => count > 0)
  return filled.length === 0 ? 'none' : filled.map(([table, count]) => `${table} ${count}`).join(', ')
}
