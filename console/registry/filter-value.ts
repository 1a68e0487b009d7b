import type { FilterKind, FilterValue } from '../../shared/registry.ts'

/** Both ends of a range as they stand in a form; an empty one is open. */
export interface RangeEnds {
  readonly from: string
  readonly to: string
}

export const chosenValues = (value: FilterValue | null): string[] => {
  if (value === null) return []
  if (typeof value !== 'object') return [String(value)]
  return Array.isArray(value) ? value.map(String) : []
}

/** With a value, or without it if it was there. */
export function toggled(chosen: readonly string[], value: string): string[] | null {
  const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
  return next.length === 0 ? null : next
}

export function rangeEnds(value: FilterValue | null): RangeEnds {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { from: '', to: '' }
  const ends: Readonly<Record<string, unknown>> = { ...value }
  return { from: textOf(ends['min'] ?? ends['from']), to: textOf(ends['max'] ?? ends['to']) }
}

const textOf = (end: unknown): string => (end === undefined ? '' : String(end))

/** Null: both ends are open, or one makes no sense. */
export function rangeValue(kind: FilterKind, { from, to }: RangeEnds): FilterValue | null {
  if (from === '' && to === '') return null
  if (kind !== 'range') return { ...(from !== '' && { from }), ...(to !== '' && { to }) }
  const [min, max] = [Number(from), Number(to)]
  if (Number.isNaN(min) || Number.isNaN(max)) return null
  return { ...(from !== '' && { min }), ...(to !== '' && { max }) }
}
