import type { FilterValue, RegistryAnswer, RegistryRefusal } from '../../../shared/registry.ts'
import { type Decision, decisions } from '../../../shared/health.ts'
import { instantIn } from '../index/numbers.ts'
import type { RegistryColumn } from '../snapshot.ts'
import { answered, refused, unknownName } from './refusal.ts'
import { dayMs } from '../../../shared/durations.ts'

/** A condition on a row: one column has any of several values, or a number in a range. */
export type Condition =
  | {
      readonly kind: 'any'
      readonly column: string
      readonly values: readonly string[]
      /** Rows that say nothing in the column meet it, too. */
      readonly orNone?: true
    }
  | { readonly kind: 'between'; readonly column: string; readonly min: number; readonly max: number }

export interface Conditions {
  /** Conditions that a row must all meet. */
  readonly ofRows: readonly Condition[]
  /** Decisions of which a linked service must have one; null when health is not filtered. */
  readonly health: ReadonlySet<Decision> | null
}

export const healthFilter = 'health'

/** Returns the keys that `filters` may have. */
export const knownFilterKeys = (columns: ReadonlyMap<string, RegistryColumn>): string[] => [
  ...[...columns.values()].filter(({ filter }) => filter !== null).map(({ key }) => key),
  healthFilter,
]

/** Parses tags and filters into conditions. The refusal names the first filter that is unknown or not valid. */
export function parseFilters(
  columns: ReadonlyMap<string, RegistryColumn>,
  tags: readonly string[],
  filters: Readonly<Record<string, FilterValue>>,
): RegistryAnswer<Conditions> {
  const ofRows: Condition[] = tags.map((tag) => ({ kind: 'any', column: 'tag', values: [tag] }))
  let health: ReadonlySet<Decision> | null = null
  for (const [key, value] of Object.entries(filters)) {
    if (key === healthFilter) {
      const wanted = readHealth(value)
      if (!wanted.ok) return locatedAt(wanted, key)
      health = wanted.value
      continue
    }
    const column = columns.get(key)
    if (column === undefined || column.filter === null) {
      const known = knownFilterKeys(columns)
      return unknownName('unknown_filter', 'filter', key, known, [[filtersField, key]])
    }
    const condition = readCondition(column, value)
    if (!condition.ok) return locatedAt(condition, key)
    ofRows.push(condition.value)
  }
  return answered({ ofRows, health })
}

const filtersField = 'filters'

const locatedAt = ({ refusal }: { readonly refusal: RegistryRefusal }, key: string) => ({
  ok: false as const,
  refusal: { ...refusal, at: [[filtersField, key]] },
})

function readCondition({ key, filter }: RegistryColumn, value: FilterValue): RegistryAnswer<Condition> {
  switch (filter) {
    case 'range':
      return readRange(key, value)
    case 'dateRange':
      return readDates(key, value)
    default: {
      const values = scalarsOf(value)
      if (values !== null) return answered({ kind: 'any', column: key, values })
      return refused(
        'invalid_arguments',
        `filters.${key}: expected a value, or a list of values of which one suffices`,
      )
    }
  }
}

function readRange(column: string, value: FilterValue): RegistryAnswer<Condition> {
  if (typeof value === 'number') return answered({ kind: 'between', column, min: value, max: value })
  if (!isRange(value) || (value.min === undefined && value.max === undefined)) {
    return refused(
      'invalid_arguments',
      `filters.${column}: expected a number, or {min, max} of which one may be left out`,
    )
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = value
  return answered({ kind: 'between', column, min, max })
}

function readDates(column: string, value: FilterValue): RegistryAnswer<Condition> {
  const wrong = refused(
    'invalid_arguments',
    `filters.${column}: expected {from, to} with dates such as 2026-01-31, of which one may be left out`,
  )
  if (!isDates(value) || (value.from === undefined && value.to === undefined)) return wrong
  const min = value.from === undefined ? Number.NEGATIVE_INFINITY : instantIn(value.from)
  const max = value.to === undefined ? Number.POSITIVE_INFINITY : endOf(value.to)
  return min === null || max === null ? wrong : answered({ kind: 'between', column, min, max })
}

/** Returns an instant in epoch ms; of a day without a time its last millisecond, because ranges include it. */
function endOf(text: string): number | null {
  const instant = instantIn(text)
  return instant !== null && /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? instant + dayMs - 1 : instant
}

function readHealth(value: FilterValue): RegistryAnswer<ReadonlySet<Decision>> {
  const wanted = scalarsOf(value)?.map((text) => decisions.find((known) => known === text.toUpperCase()))
  if (wanted === undefined || wanted.includes(undefined)) {
    return refused(
      'invalid_arguments',
      `filters.health: expected one or several of ${decisions.join(', ')}`,
      decisions,
    )
  }
  return answered(new Set(wanted.filter((decision) => decision !== undefined)))
}

type Scalar = string | number | boolean

const isScalar = (value: FilterValue): value is Scalar => typeof value !== 'object'

const isRange = (value: FilterValue): value is { min?: number; max?: number } =>
  !isScalar(value) && !Array.isArray(value) && ('min' in value || 'max' in value)

const isDates = (value: FilterValue): value is { from?: string; to?: string } =>
  !isScalar(value) && !Array.isArray(value) && ('from' in value || 'to' in value)

function scalarsOf(value: FilterValue): string[] | null {
  if (isScalar(value)) return [String(value)]
  return Array.isArray(value) ? value.map(String) : null
}
