import type { Listing, SourceRow, CellValue } from './snapshot.ts'

const offerReference = /^!offer:(.+)$/

/** Returns the slug of the offer that a cell refers to, or null when it refers to none. */
export function offerNamed(cell: CellValue | undefined): string | null {
  const [, slug] = typeof cell === 'string' ? (offerReference.exec(cell) ?? []) : []
  return slug?.trim() ?? null
}

/** Returns a cell of the listing, or of its offer when the listing has none. The column `offer` is always the offer's. */
export function mergedCell(listing: Listing, column: string): CellValue | null {
  const own = listing.cells.get(column)
  if (listing.offer === null) return own ?? null
  const offered = listing.offer.cells.get(column)
  return (column === 'offer' ? offered : (own ?? offered)) ?? null
}

/** Returns null for a cell that is no text. */
export function mergedText(listing: Listing, column: string): string | null {
  const value = mergedCell(listing, column)
  return typeof value === 'string' ? value : null
}

/** Yields the columns of a row that are not null, each once. */
export function* filledColumns({ cells, offer }: Listing): Generator<string> {
  yield* cells.keys()
  if (offer === null) return
  for (const column of offer.cells.keys()) if (!cells.has(column)) yield column
}

/** The fields in which the copies of one listing differ. */
export interface ListingCopy {
  readonly slug: string
  /** Null when the sub-chain is that of the listing. */
  readonly subChain: string | null
}

/** Returns all columns of a row and its offer by name; columns without a value are null. */
export function mergeRow(
  listing: Listing,
  { slug, subChain }: ListingCopy,
): Record<string, CellValue | null> {
  const merged: Record<string, CellValue | null> = {}
  for (const column of columnsOf(listing)) merged[column] = mergedCell(listing, column)
  merged['slug'] = slug
  if (subChain !== null) merged['chain'] = subChain
  return merged
}

const columnsOf = ({ columns, offer }: Listing): readonly string[] =>
  offer === null ? columns : [...new Set([...columns, ...offer.columns])]

/** Returns all columns of a row that has no offer, such as that of a provider. */
export const rowCells = ({ columns, cells }: SourceRow): Record<string, CellValue | null> =>
  Object.fromEntries(columns.map((column) => [column, cells.get(column) ?? null]))
