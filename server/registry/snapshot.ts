import type { FilterKind, RowProblem } from '../../shared/registry.ts'

/** The value of a cell. Numbers stay text, because `99.90%` and `$49/mo` are not numbers. */
export type CellValue = string | boolean | CellList | CellObject
type Json = CellValue | number | null
export type CellList = readonly Json[]
export interface CellObject {
  readonly [key: string]: Json
}

/** The cells of a row that are not null, by column. */
export type Cells = ReadonlyMap<string, CellValue>

/** One row of a CSV file. */
export interface SourceRow {
  readonly slug: string
  readonly cells: Cells
  /** The columns of its file, shared by all rows of the file. A column without a cell is null. */
  readonly columns: readonly string[]
}

/** A row of `references/offers/<category>.csv`. */
export type Offer = SourceRow

/** A row that lists something on one network, or on all networks. */
export interface Listing extends SourceRow {
  readonly category: string
  /** Null for a listing on all networks. */
  readonly network: string | null
  /** The offer that the row refers to. Cells of the listing take precedence over cells of the offer. */
  readonly offer: Offer | null
  /** File and line from which the row was read, for reports. */
  readonly file: string
  readonly line: number
}

export interface RegistryColumn {
  readonly key: string
  readonly label: string
  /** Null when rows cannot be filtered by this column. */
  readonly filter: FilterKind | null
}

export interface RegistryCategory {
  readonly key: string
  readonly label: string
  readonly description: string | null
}

/** A parsed registry. Nothing is repeated in it: a row is merged with its offer only when it is returned. */
export interface RegistrySnapshot {
  /** SHA-256 of the paths and texts of its files. */
  readonly version: string
  readonly columns: ReadonlyMap<string, RegistryColumn>
  readonly categories: ReadonlyMap<string, RegistryCategory>
  readonly providers: readonly SourceRow[]
  readonly offerCount: number
  /** In alphabetical order. */
  readonly networks: readonly string[]
  readonly listings: readonly Listing[]
}

/** One file of a registry. */
export interface SnapshotFile {
  /** Path from the registry's root, with `/` as the separator. */
  readonly path: string
  readonly text: string
}

/** Collects the problems of an import: all are counted, and the first of them kept. */
export interface ProblemLog {
  add(problem: RowProblem): void
  readonly problems: readonly RowProblem[]
  readonly leftOut: number
  readonly changed: number
}
