import { csvText } from '../../shared/csv.ts'
import { UsageNumbers } from '../../shared/usage.ts'
import { usageClasses } from '../../shared/usage-splits.ts'

export interface StatisticsAnswer {
  readonly items: readonly object[]
  /** Absent where an answer is always whole. */
  readonly nextCursor?: string | null
}

/** Returns true when the caller wants CSV: it names that type, and not JSON before it. */
export function asksForCsv({ headers }: Request): boolean {
  const wanted = /\b(?:text\/csv|application\/json|\*\/\*)/i.exec(headers.get('accept') ?? '')
  return wanted?.[0].toLowerCase() === 'text/csv'
}

/**
 * A page of statistics as CSV, its columns named like the fields in JSON. `Link` leads to the next page, which has the
 * names as well. `url` is the address that was asked.
 */
export function csvResponse(
  { items, nextCursor = null }: StatisticsAnswer,
  columns: readonly string[],
  url: string,
): Response {
  const rows = items.map((item) => {
    const cells: Readonly<Record<string, string | number | null | undefined>> = { ...item }
    return columns.map((column) => cells[column] ?? '')
  })
  const headers: Record<string, string> = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'cache-control': 'private, no-store',
    vary: 'Accept',
  }
  if (nextCursor !== null) {
    const next = new URL(url)
    next.searchParams.set('cursor', nextCursor)
    headers.link = `<${next.pathname}${next.search}>; rel="next"`
  }
  return new Response(csvText([columns, ...rows]), { headers })
}

const numbers = Object.keys(UsageNumbers.shape)

export const keyColumns = ['keyId', 'name', 'keyHint', 'endpoint', 'bucket', ...numbers, 'lastUsedAt']
export const methodColumns = ['method', 'bucket', ...numbers, 'lastUsedAt']
export const keyMethodColumns = [
  'keyId',
  'name',
  'keyHint',
  'endpoint',
  'method',
  'bucket',
  ...numbers,
  'lastUsedAt',
]
export const classColumns = ['bucket', ...usageClasses]
export const upstreamColumns = ['bucket', 'endpoint', 'upstream', 'class', 'attempts', 'meanMs']
