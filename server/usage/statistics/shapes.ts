import type { KeyUsage, MethodUsage, TrafficHour, UsageBand, UsageMeasure } from '../../../shared/usage.ts'
import type { ShownKey } from '../key-labels.ts'
import type { GroupRow, PeriodRow, SeriesRow } from './store.ts'
import { numbersOf } from './sums.ts'

/** The label of a key that was deleted before its name was stored. */
const nameless = { name: 'deleted key', hint: '', endpoint: '', isDeleted: true } as const

export function keyUsage(row: GroupRow, known: ReadonlyMap<string, ShownKey>): KeyUsage {
  const { name, hint, endpoint, isDeleted } = known.get(row.id) ?? nameless
  const lastUsedAt = row.last_used_at.getTime()
  return { keyId: row.id, name, hint, endpoint, isDeleted, lastUsedAt, ...numbersOf(row) }
}

export const methodUsage = (row: GroupRow): MethodUsage => ({
  method: row.id,
  lastUsedAt: row.last_used_at.getTime(),
  ...numbersOf(row),
})

/** Returns bands with a number for each bucket, the greatest first and all others last. */
export function bandsOf(
  rows: readonly SeriesRow[],
  buckets: readonly number[],
  measure: UsageMeasure,
  labelOf: (id: string) => string,
): UsageBand[] {
  const places = new Map(buckets.map((at, place) => [at, place]))
  const zeros = (): number[] => buckets.map(() => 0)
  const bands = new Map<
    string | null,
    { requests: number[]; credits: number[]; errors: number[]; refused: number[] }
  >()
  for (const row of rows) {
    const band = bands.get(row.id) ?? {
      requests: zeros(),
      credits: zeros(),
      errors: zeros(),
      refused: zeros(),
    }
    bands.set(row.id, band)
    const place = places.get(row.bucket.getTime())
    if (place === undefined) throw new RangeError('a count outside of its interval')
    band.requests[place] = row.requests
    band.credits[place] = row.credits
    band.errors[place] = row.errors
    band.refused[place] = row.refused
  }
  const shown = [...bands].map(([id, numbers]) => ({
    id,
    label: id === null ? 'Other' : labelOf(id),
    ...numbers,
  }))
  return shown.sort((one, other) => {
    if (one.id === null || other.id === null) return one.id === null ? 1 : -1
    return sum(other[measure]) - sum(one[measure])
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const trafficHour = (at: number, row: PeriodRow | undefined): TrafficHour => ({
  at,
  requests: row?.requests ?? 0,
  credits: row?.credits ?? 0,
  errors: row?.errors ?? 0,
  rateLimited: row?.rate_limited ?? 0,
  creditLimited: row?.credit_limited ?? 0,
})
