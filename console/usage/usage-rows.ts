import type { KeyUsage, MethodUsage, UsageNumbers } from '../../shared/usage.ts'
import type { Column } from '../ui/sort-rows.ts'
import type { By, Outcome } from './usage-view.ts'

/** A line of the table: a key, a method, or the sum of them. */
export interface UsageRow extends UsageNumbers {
  /** Of a key, or a method; null: of the sum. */
  readonly id: string | null
  readonly name: string
  /** Of keys only. */
  readonly key: { readonly hint: string; readonly endpoint: string; readonly isDeleted: boolean } | null
  /** Epoch ms, to the minute. */
  readonly lastUsedAt: number | null
  /** Of all requests, and of all credits: from 0 to 1; null where there are none. */
  readonly requestShare: number | null
  readonly creditShare: number | null
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const sharesOf = (row: UsageNumbers, totals: UsageNumbers) => ({
  requestShare: shareOf(row.requests, totals.requests),
  creditShare: shareOf(row.credits, totals.credits),
})

export const keyRows = (rows: readonly KeyUsage[], totals: UsageNumbers): readonly UsageRow[] =>
  rows.map(({ keyId, name, hint, endpoint, isDeleted, ...numbers }) => ({
    ...numbers,
    ...sharesOf(numbers, totals),
    id: keyId,
    name,
    key: { hint, endpoint, isDeleted },
  }))

export const methodRows = (rows: readonly MethodUsage[], totals: UsageNumbers): readonly UsageRow[] =>
  rows.map(({ method, ...numbers }) => ({
    ...numbers,
    ...sharesOf(numbers, totals),
    id: method,
    name: method,
    key: null,
  }))

/** The sum of all rows, and when any of them was used last. */
export const totalRow = (rows: readonly UsageRow[], totals: UsageNumbers): UsageRow => ({
  ...totals,
  ...sharesOf(totals, totals),
  id: null,
  name: 'Total',
  key: null,
  lastUsedAt: rows.reduce<number | null>(
    (latest, { lastUsedAt }) => (lastUsedAt === null ? latest : Math.max(latest ?? 0, lastUsedAt)),
    null,
  ),
})

/** By either limit. */
export const refusedIn = ({ rateLimited, creditLimited }: UsageNumbers): number => rateLimited + creditLimited

/** Rows in which something of the chosen kind happened. */
export const rowsWith = <Row extends UsageNumbers>(
  rows: readonly Row[],
  only: Outcome | '',
): readonly Row[] =>
  only === '' ? rows : rows.filter((row) => (only === 'errors' ? row.errors : refusedIn(row)) > 0)

const count = (key: 'requests' | 'credits' | 'errors', title: string) => ({
  key,
  title,
  value: (row: UsageRow) => row[key],
  isAtEnd: true,
  isGreatestFirst: true,
})

const columnsAfterName: readonly Column<UsageRow>[] = [
  count('requests', 'Calls'),
  count('credits', 'Credits'),
  count('errors', 'Errors'),
  { key: 'refused', title: 'Refused', value: refusedIn, isAtEnd: true, isGreatestFirst: true },
  { key: 'p50', title: 'p50', value: ({ p50Ms }) => p50Ms, isAtEnd: true, isGreatestFirst: true },
  { key: 'p99', title: 'p99', value: ({ p99Ms }) => p99Ms, isAtEnd: true, isGreatestFirst: true },
  {
    key: 'lastUsed',
    title: 'Last used',
    value: ({ lastUsedAt }) => lastUsedAt,
    isAtEnd: true,
    isGreatestFirst: true,
  },
]

const columns: Readonly<Record<By, readonly Column<UsageRow>[]>> = {
  key: [{ key: 'name', title: 'Query key', value: ({ name }) => name }, ...columnsAfterName],
  method: [{ key: 'name', title: 'Method', value: ({ name }) => name }, ...columnsAfterName],
}

export const columnsOf = (by: By): readonly Column<UsageRow>[] => columns[by]
