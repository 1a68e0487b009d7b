import type { FilterColumn, FilterQuestion, RegistryAnswer } from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { answered, unknownName } from '../search/refusal.ts'
import type { EntryReader } from './entry-reader.ts'

/** Bounds the values listed for a column; a longer list is of no use, and the search finds the rest. */
const mostValues = 60

/** Creates the query for the filter columns that have values among the services of a chain and a category. */
export function createFilterColumns(index: RegistryIndex, entries: EntryReader) {
  const { snapshot, rows, rowOfEntry, entriesOfNetwork, categories, categoryOfRow, values } = index

  function rowsIn(network: number | null, category: number | null): Uint8Array {
    const isIn = new Uint8Array(rows.length)
    if (network === null) isIn.fill(1)
    else for (const entry of entriesOfNetwork[network] ?? []) isIn[rowOfEntry[entry] ?? 0] = 1
    if (category !== null) for (const row of rows.keys()) if (categoryOfRow[row] !== category) isIn[row] = 0
    return isIn
  }

  return ({ chain, category }: FilterQuestion): RegistryAnswer<FilterColumn[]> => {
    const network = chain === undefined ? null : entries.placeOfNetwork(chain)
    if (chain !== undefined && network === null) {
      return unknownName('unknown_chain', 'chain', chain, snapshot.networks)
    }
    if (category !== undefined && !categories.includes(category)) {
      return unknownName('unknown_category', 'category', category, categories)
    }
    const isIn = rowsIn(network, category === undefined ? null : categories.indexOf(category))
    const isCounted = (row: number): boolean => isIn[row] === 1
    const isSaid = (column: string): boolean =>
      values.numbers(column)?.some((value, row) => !Number.isNaN(value) && isCounted(row)) ?? false

    const columns = [...snapshot.columns.values()].flatMap(({ key, label, filter }): FilterColumn[] => {
      if (filter === null) return []
      if (filter === 'range' || filter === 'dateRange') {
        return isSaid(key) ? [{ key, label, kind: filter, values: [], moreValues: 0 }] : []
      }
      const counted = values.counted(key, isCounted)
      if (counted.length === 0) return []
      return [
        {
          key,
          label,
          kind: filter,
          values: counted.slice(0, mostValues).map(({ value, rows: services }) => ({ value, services })),
          moreValues: Math.max(0, counted.length - mostValues),
        },
      ]
    })
    return answered(columns)
  }
}
