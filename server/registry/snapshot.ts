import type { FilterKind, RowProblem } from '../../shared/registry.ts'

/** A value as it stands in a cell. Numbers stay texts: `99.90%` and `$49/mo` are no numbers. */
export type Value = string | boolean | JsonList | JsonObject
type Json = Value | number | null
export type JsonList = readonly Json[]
export interface JsonObject {
  readonly [key: string]: Json
}

/** Cells that are not null, by their column. */
export type Cells = ReadonlyMap<string, Value>

/** One row of a file. */
export interface Row {
  readonly slug: string
  readonly cells: Cells
  /** Those of its file, shared by all of its rows; a cell that is missing is null. */
  readonly columns: readonly string[]
}

/** A row of `references/offers/<category>.csv`. */
export type Offer = Row

/** A row of a listing: on one network, or on all of them. */
export interface Listing extends Row {
  readonly category: string
  /** Null: on every network. */
  readonly network: string | null
  /** What it refers to; its own cells come before the offer's. */
  readonly offer: Offer | null
  /** Where it stands, for reports. */
  readonly file: string
  readonly line: number
}

export interface Column {
  readonly key: string
  readonly label: string
  /** Null: rows cannot be filtered by it. */
  readonly filter: FilterKind | null
}

export interface Category {
  readonly key: string
  readonly label: string
  readonly description: string | null
}

/** A whole registry, as its files say it: nothing is repeated, and rows are merged when they are read. */
export interface Snapshot {
  /** SHA-256 of the files. */
  readonly version: string
  readonly columns: ReadonlyMap<string, Column>
  readonly categories: ReadonlyMap<string, Category>
  readonly providers: readonly Row[]
  readonly offerCount: number
  /** In alphabetical order. */
  readonly networks: readonly string[]
  readonly listings: readonly Listing[]
}

/** One file of a registry. */
export interface SnapshotFile {
  /** From the registry's root, with `/`. */
  readonly path: string
  readonly text: string
}

/** Every problem up to a number that somebody may still read. */
export interface ProblemLog {
  add(problem: RowProblem): void
  readonly problems: readonly RowProblem[]
  readonly leftOut: number
  readonly changed: number
}
