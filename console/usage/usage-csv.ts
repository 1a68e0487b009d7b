import type { KeyStatistics, MethodStatistics } from '../../shared/usage.ts'
import { csvText } from '../../shared/csv.ts'

type Line = KeyStatistics | MethodStatistics

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

const numbersOf = (line: Line): (string | number)[] => [
  line.requests,
  line.credits,
  line.ok,
  line.errors,
  line.rateLimited,
  line.creditLimited,
  line.bytesIn,
  line.bytesOut,
  line.p50Ms ?? '',
  line.p99Ms ?? '',
  line.lastUsedAt ?? '',
]

/** Tables for spreadsheets: numbers as they are, instants in UTC (RFC 3339). */
export const keysCsv = (lines: readonly KeyStatistics[]): string =>
  tableOf(lines, ['key id', 'name', 'key', 'endpoint'], ({ keyId, name, keyHint, endpoint }) => [
    keyId,
    name,
    keyHint,
    endpoint,
  ])

export const methodsCsv = (lines: readonly MethodStatistics[]): string =>
  tableOf(lines, ['method'], ({ method }) => [method])

/** Lines of parts of the interval say at the end when theirs begins. */
function tableOf<Of extends Line>(
  lines: readonly Of[],
  titles: readonly string[],
  names: (line: Of) => readonly string[],
): string {
  const hasParts = lines.some(({ bucket }) => bucket !== undefined)
  return csvText([
    [...titles, ...numberTitles, ...(hasParts ? ['from'] : [])],
    ...lines.map((line) => [...names(line), ...numbersOf(line), ...(hasParts ? [line.bucket ?? ''] : [])]),
  ])
}
