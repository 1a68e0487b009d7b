import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { temporaryDataDir } from './database.ts'

/** A row by its columns. */
type Row = Readonly<Record<string, string>>

/** Rows to add to a registry, by category; they stand on `chain`. */
export interface AddedRows {
  readonly chain: string
  readonly apis?: readonly Row[]
  readonly mcpservers?: readonly Row[]
}

const ownSnapshot = join(import.meta.dir, '../../server/registry/own-snapshot')

/** Copies the product's own registry, adds some rows to it, and returns its folder. */
export function writeConsoleRegistry({ chain, ...added }: AddedRows): string {
  const root = temporaryDataDir()
  cpSync(ownSnapshot, root, { recursive: true })
  for (const [category, rows] of Object.entries(added)) {
    addRows(join(root, `references/offers/${category}.csv`), rows)
    const listings = rows.map(({ slug = '' }) => ({ slug, offer: `!offer:${slug}` }))
    addRows(join(root, `listings/specific-networks/${chain}/${category}.csv`), listings)
  }
  return root
}

function addRows(path: string, rows: readonly Row[]): void {
  const columns = columnsOf(path, rows)
  appendFileSync(
    path,
    rows.map((row) => `${columns.map((column) => quoted(row[column] ?? '')).join(',')}\n`).join(''),
  )
}

function columnsOf(path: string, rows: readonly Row[]): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n', 1)[0]?.trim().split(',') ?? []
  } catch {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${columns.join(',')}\n`)
    return columns
  }
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
