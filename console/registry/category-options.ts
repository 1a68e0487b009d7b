import type { CategoryName } from '../../shared/registry.ts'

interface Option {
  readonly value: string
  readonly label: string
}

/** What can be chosen; what is chosen is always among it. */
export function categoryOptions(known: readonly CategoryName[], chosen: string): readonly Option[] {
  const isMissing = chosen !== '' && !known.some(({ category }) => category === chosen)
  return [
    { value: '', label: 'Any category' },
    ...known.map(({ category, label }) => ({ value: category, label })),
    ...(isMissing ? [{ value: chosen, label: chosen }] : []),
  ]
}
