/** A column of a `DataTable`. */
export interface Column<Row> {
  /** Also the name of the cell's slot: `cell-<key>`. */
  readonly key: string
  readonly title: string
  /** What the rows can be sorted by, and what a cell without a slot shows; null stands for nothing. */
  readonly value?: (row: Row) => string | number | null
  /** What a cell without a slot shows, where that is not the value as it is. */
  readonly text?: (row: Row) => string
  /** For a column of buttons: only screen readers are told the title. */
  readonly isTitleHidden?: boolean
  /** For numbers. */
  readonly isAtEnd?: boolean
  /** The first click on the title puts the greatest first. */
  readonly isGreatestFirst?: boolean
  /**
   * Where it is on a narrow screen in a table of lines: in the line, which has room for three columns, below it, or
   * nowhere. Where no column says so, each row becomes a card.
   */
  readonly phone?: 'line' | 'below' | 'nowhere'
}

export interface Sort {
  readonly key: string
  readonly direction: 'ascending' | 'descending'
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** A sorted copy; rows without a value come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | null,
): readonly Row[] {
  const value = columns.find(({ key }) => key === sort?.key)?.value
  if (sort === null || value === undefined) return rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return collator.compare(String(left), String(right))
}

/** What a click on a column's title makes of the order: usually first ascending, then descending. */
export function nextSort(
  sort: Sort | null,
  { key, isGreatestFirst = false }: Pick<Column<never>, 'key' | 'isGreatestFirst'>,
): Sort {
  if (sort?.key !== key) return { key, direction: isGreatestFirst ? 'descending' : 'ascending' }
  return { key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' }
}
