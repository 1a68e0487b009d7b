import type { RegistryIndex } from '../index/registry-index.ts'
import type { Condition } from './parse-filters.ts'

/** Finds the rows that meet all conditions, in an array that all queries share. */
export function createRowMatcher({ rows, values }: Pick<RegistryIndex, 'rows' | 'values'>) {
  /** For each row, how many conditions it meets, counted from the first until one is not met. */
  const met = new Uint8Array(rows.length)

  function markNumbers(
    column: string,
    isInside: (value: number) => boolean,
    mark: (row: number) => void,
  ): void {
    const numbers = values.numbers(column)
    if (numbers === undefined) return
    for (let row = 0; row < numbers.length; row++) {
      if (isInside(numbers[row] ?? Number.NaN)) mark(row)
    }
  }

  return (conditions: readonly Condition[]): Uint8Array => {
    if (conditions.length > 0) met.fill(0)
    for (const [place, condition] of conditions.entries()) {
      // A row advances only when it has met all conditions before, and only once for the same condition.
      const mark = (row: number): void => {
        if (met[row] === place) met[row] = place + 1
      }
      if (condition.kind === 'between') {
        const { column, min, max } = condition
        markNumbers(column, (value) => value >= min && value <= max, mark)
        continue
      }
      for (const value of condition.values) {
        for (const row of values.rowsWith(condition.column, value)) mark(row)
      }
      if (condition.orNone === true) for (const row of values.rowsWithout(condition.column)) mark(row)
    }
    return met
  }
}
