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
  csvText([
    ['key id', 'name', 'key', 'endpoint', ...numberTitles],
    ...lines.map((line) => [line.keyId, line.name, line.keyHint, line.endpoint, ...numbersOf(line)]),
  ])

export const methodsCsv = (lines: readonly MethodStatistics[]): string =>
  csvText([['method', ...numberTitles], ...lines.map((line) => [line.method, ...numbersOf(line)])])
