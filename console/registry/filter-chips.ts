import type { FilterColumn, FilterValue } from '../../shared/registry.ts'
import { columnTitle } from './cell-parts.ts'
import type { ColumnFilters, RegistryView } from './registry-view.ts'

/** One thing by which the list is narrowed, besides what the boxes show; and what is left without it. */
export interface FilterChip {
  readonly label: string
  readonly without: Partial<RegistryView>
}

export function filterChips({ tags, filters }: RegistryView, columns: readonly FilterColumn[]): FilterChip[] {
  const labels = new Map(columns.map(({ key, label }) => [key, label]))
  return [
    ...tags.map((tag) => ({ label: tag, without: { tags: tags.filter((other) => other !== tag) } })),
    ...Object.entries(filters).map(([column, value]) => ({
      label: `${columnTitle(column, labels)}: ${valueText(value)}`,
      without: { filters: withFilter(filters, column, null) },
    })),
  ]
}

/** Null: without that column. */
export function withFilter(filters: ColumnFilters, column: string, value: FilterValue | null): ColumnFilters {
  const { [column]: _before, ...others } = filters
  return value === null ? others : { ...others, [column]: value }
}

function valueText(value: FilterValue): string {
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.join(' or ')
  const [from, to] = 'min' in value || 'max' in value ? [value.min, value.max] : rangeOf(value)
  if (from === undefined) return `up to ${to}`
  return to === undefined ? `from ${from}` : `${from} to ${to}`
}

const rangeOf = (value: object): [string | undefined, string | undefined] => [
  'from' in value && typeof value.from === 'string' ? value.from : undefined,
  'to' in value && typeof value.to === 'string' ? value.to : undefined,
]
