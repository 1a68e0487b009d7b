import { csvText } from '../ui/csv.ts'
import type { UsageRow } from './usage-rows.ts'
import type { By } from './usage-view.ts'

const numberTitles = [
  'requests',
  'credits',
  'ok',
  'errors',
  'rate limited',
  'credit limited',
  'bytes in',
  'bytes out',
  'p50 ms',
  'p99 ms',
  'last used',
]

/** Rows as a table for spreadsheets, numbers as they are, instants in UTC (RFC 3339). */
export const usageCsv = (by: By, rows: readonly UsageRow[]): string =>
  csvText([
    [...(by === 'key' ? ['key id', 'name', 'key', 'endpoint'] : ['method']), ...numberTitles],
    ...rows.map((row) => [
      ...(row.key === null ? [row.name] : [row.id ?? '', row.name, row.key.hint, row.key.endpoint]),
      row.requests,
      row.credits,
      row.ok,
      row.errors,
      row.rateLimited,
      row.creditLimited,
      row.bytesIn,
      row.bytesOut,
      row.p50Ms ?? '',
      row.p99Ms ?? '',
      row.lastUsedAt === null ? '' : new Date(row.lastUsedAt).toISOString(),
    ]),
  ])
