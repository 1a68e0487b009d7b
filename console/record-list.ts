interface Identified {
  readonly id: string
}

/** Records of a log, the newest first, and none left out between the first and the last. */
export interface RecordList<Row extends Identified, Cursor> {
  readonly rows: readonly Row[]
  /** Where the page after the last of them begins; null: there is none. */
  readonly cursor: Cursor | null
}

/** Rows that came by themselves are at most so many; those of "Load older ones" come on top. */
export const mostRows = 500

/** Whether a page that was read anew goes on where the known records begin, or is all that there is. */
export const reaches = <Row extends Identified>(
  page: RecordList<Row, unknown>,
  known: readonly Row[],
): boolean => page.cursor === null || lastOfPageIn(page, known) >= 0

/**
 * Puts the first page, read anew, in the place of the known records that it is about. Where it does not reach them, more came
 * meanwhile than it holds: it stands alone, and what is older can be read again.
 */
export function withNewestPage<Row extends Identified, Cursor>(
  known: RecordList<Row, Cursor>,
  page: RecordList<Row, Cursor>,
): RecordList<Row, Cursor> {
  const last = lastOfPageIn(page, known.rows)
  if (page.cursor === null || last < 0) return page
  return { rows: [...page.rows, ...known.rows.slice(last + 1)], cursor: known.cursor }
}

export const withOlderPage = <Row extends Identified, Cursor>(
  known: RecordList<Row, Cursor>,
  page: RecordList<Row, Cursor>,
): RecordList<Row, Cursor> => ({ rows: withoutRepetition(known.rows, page.rows), cursor: page.cursor })

/** Leaves out what is oldest, because more rows than anybody reads make a page slow. It can be read again. */
export function boundedTo<Row extends Identified, Cursor>(
  most: number,
  { rows, cursor }: RecordList<Row, Cursor>,
  cursorAfter: (row: Row) => Cursor,
): RecordList<Row, Cursor> {
  const last = rows[most - 1]
  if (rows.length <= most || last === undefined) return { rows, cursor }
  return { rows: rows.slice(0, most), cursor: cursorAfter(last) }
}

/** Puts the first ones before the others, each once. */
export function withoutRepetition<Row extends Identified>(
  first: readonly Row[],
  others: readonly Row[],
): Row[] {
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...others.filter(({ id }) => !known.has(id))]
}

function lastOfPageIn<Row extends Identified>(page: RecordList<Row, unknown>, known: readonly Row[]): number {
  const ids = new Set(page.rows.map(({ id }) => id))
  return known.findLastIndex(({ id }) => ids.has(id))
}
