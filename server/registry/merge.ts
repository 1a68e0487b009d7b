import type { Listing, Row, Value } from './snapshot.ts'

const offerReference = /^!offer:(.+)$/

/** The slug of the offer that a cell names; null: the row stands alone. */
export function offerNamed(cell: Value | undefined): string | null {
  const [, slug] = typeof cell === 'string' ? (offerReference.exec(cell) ?? []) : []
  return slug?.trim() ?? null
}

/** Where a listing says nothing, its offer speaks; of `offer` itself, which only refers, always the offer's. */
export function mergedCell(listing: Listing, column: string): Value | null {
  const own = listing.cells.get(column)
  if (listing.offer === null) return own ?? null
  const offered = listing.offer.cells.get(column)
  return (column === 'offer' ? offered : (own ?? offered)) ?? null
}

/** The columns in which a row says something, each once. */
export function* saidColumns({ cells, offer }: Listing): Generator<string> {
  yield* cells.keys()
  if (offer === null) return
  for (const column of offer.cells.keys()) if (!cells.has(column)) yield column
}

/** What is said of one row beyond its listing: copies of one listing differ in it. */
export interface Copy {
  readonly slug: string
  /** Null: that of the listing. */
  readonly subChain: string | null
}

/** Every column of a row by its name, null where nothing is said. */
export function mergeRow(listing: Listing, { slug, subChain }: Copy): Record<string, Value | null> {
  const merged: Record<string, Value | null> = {}
  for (const column of columnsOf(listing)) merged[column] = mergedCell(listing, column)
  merged['slug'] = slug
  if (subChain !== null) merged['chain'] = subChain
  return merged
}

const columnsOf = ({ columns, offer }: Listing): readonly string[] =>
  offer === null ? columns : [...new Set([...columns, ...offer.columns])]

/** The cells of a row that stands alone. */
export const rowCells = ({ columns, cells }: Row): Record<string, Value | null> =>
  Object.fromEntries(columns.map((column) => [column, cells.get(column) ?? null]))
