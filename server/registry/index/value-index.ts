import type { RegistryColumn, CellValue } from '../snapshot.ts'
import { instantIn, numberIn } from './numbers.ts'

/** An index from columns and their values to rows. */
export interface ValueIndex {
  /** Returns the rows with a value, ascending, each once. */
  rowsWith(column: string, value: string): Uint32Array
  /** Returns the rows without a value, ascending. */
  rowsWithout(column: string): Uint32Array
  /** Returns the number or date (epoch ms) of each row, NaN for rows without one; undefined when no row has one. */
  numbers(column: string): Float64Array | undefined
  /** Returns the most frequent values of a column as written, the most frequent first. */
  commonest(column: string, count: number): string[]
  /** Returns the values among the rows that `isCounted` accepts with their number of rows, the most frequent first. */
  counted(column: string, isCounted: (row: number) => boolean): CountedValue[]
}

export interface CountedValue {
  readonly value: string
  readonly rows: number
}

const none = new Uint32Array(0)

/** Returns the key of a value; case and surrounding space do not matter. */
const keyOf = (value: string): string => value.trim().toLowerCase()

export function createValueIndexBuilder(columns: ReadonlyMap<string, RegistryColumn>, rowCount: number) {
  const lists = new Map<string, Map<string, { readonly written: string; readonly rows: number[] }>>()
  const numbers = new Map<string, Float64Array>()

  function addText(row: number, column: string, text: string): void {
    let values = lists.get(column)
    if (values === undefined) lists.set(column, (values = new Map()))
    const key = keyOf(text)
    const found = values.get(key)
    if (found === undefined) values.set(key, { written: text, rows: [row] })
    else if (found.rows.at(-1) !== row) found.rows.push(row)
  }

  function addNumber(row: number, column: string, value: number | null): void {
    if (value === null) return
    let values = numbers.get(column)
    if (values === undefined) numbers.set(column, (values = new Float64Array(rowCount).fill(Number.NaN)))
    values[row] = value
  }

  return {
    add(row: number, column: string, value: CellValue): void {
      const kind = columns.get(column)?.filter ?? null
      if (kind === null) return
      for (const text of textsOf(value)) {
        if (kind === 'range') addNumber(row, column, numberIn(text))
        else if (kind === 'dateRange') addNumber(row, column, instantIn(text))
        else addText(row, column, text)
      }
    },
    build(): ValueIndex {
      const values = new Map(
        [...lists].map(([column, byKey]) => [
          column,
          new Map(
            [...byKey].map(([key, { written, rows }]) => [key, { written, rows: Uint32Array.from(rows) }]),
          ),
        ]),
      )
      const withoutValue = new Map<string, Uint32Array>()
      const findWithout = (column: string): Uint32Array => {
        const said = new Set([...(values.get(column)?.values() ?? [])].flatMap(({ rows }) => [...rows]))
        return Uint32Array.from({ length: rowCount }, (_, row) => row).filter((row) => !said.has(row))
      }
      return {
        rowsWithout(column) {
          const found = withoutValue.get(column) ?? findWithout(column)
          withoutValue.set(column, found)
          return found
        },
        rowsWith: (column, value) => values.get(column)?.get(keyOf(value))?.rows ?? none,
        numbers: (column) => numbers.get(column),
        commonest: (column, count) =>
          [...(values.get(column)?.values() ?? [])]
            .toSorted((one, other) => other.rows.length - one.rows.length)
            .slice(0, count)
            .map(({ written }) => written),
        counted: (column, isCounted) =>
          [...(values.get(column)?.values() ?? [])]
            .map(({ written, rows }) => ({ value: written, rows: rows.filter(isCounted).length }))
            .filter(({ rows }) => rows > 0)
            .toSorted((one, other) => other.rows - one.rows),
      }
    },
  }
}

function textsOf(value: CellValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'boolean') return [String(value)]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
