import type { RowCounts } from '../../backup/format.ts'

/** Returns a size such as `5.0 kB` or `12.3 MB`. */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Returns a list such as `services 3, verifiers 1`, without empty tables. */
export function formatRowCounts(rows: RowCounts): string {
  const filled = Object.entries(rows).filter(([, count]) => count > 0)
  return filled.length === 0 ? 'none' : filled.map(([table, count]) => `${table} ${count}`).join(', ')
}
