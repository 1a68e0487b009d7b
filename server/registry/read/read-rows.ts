import type { ProblemLog, SourceRow, SnapshotFile, CellValue } from '../snapshot.ts'
import { parseCell } from './parse-cell.ts'
import { type CsvLine, readCsv } from './read-csv.ts'

const columnPattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const slugPattern = /^[a-z0-9][a-z0-9._-]{0,199}$/i

export interface NumberedRow extends SourceRow {
  readonly line: number
}

/** The header of a CSV file and the lines below it; the cells are not read yet. */
export interface CsvTable {
  /** Path of the file, for reports. */
  readonly file: string
  readonly columns: readonly string[]
  readonly lines: readonly CsvLine[]
}

/** Returns the valid rows of one file, and reports the others. A slug may occur once in a file. */
export function readRows(file: SnapshotFile, log: ProblemLog): NumberedRow[] {
  const table = readTable(file, log)
  return table === null ? [] : rowsOfTable(table, log)
}

/** Returns null for an empty file, and for a header that is not valid, which is reported. */
export function readTable({ path: file, text }: SnapshotFile, log: ProblemLog): CsvTable | null {
  const { lines, problems } = readCsv(text)
  for (const { line, reason } of problems) log.add({ file, line, reason, effect: 'left_out' })

  const [header, ...rest] = lines
  if (header === undefined) return null
  const columns = header.cells.map((cell) => cell.trim())
  const reason = headerProblem(columns)
  if (reason === null) return { file, columns, lines: rest }
  log.add({ file, line: header.line, reason, effect: 'left_out' })
  return null
}

/** Returns the valid rows of a table, and reports the others. A slug may occur once in a table. */
export function rowsOfTable({ file, columns, lines }: CsvTable, log: ProblemLog): NumberedRow[] {
  const leaveOut = (line: number, reason: string): void => log.add({ file, line, reason, effect: 'left_out' })
  const rows = new Map<string, NumberedRow>()
  for (const line of lines) {
    const reading = readRow(columns, line)
    if (reading.kind === 'invalid') leaveOut(line.line, reading.reason)
    else if (rows.has(reading.row.slug))
      leaveOut(line.line, `the slug ${reading.row.slug} is in this file already`)
    else {
      rows.set(reading.row.slug, reading.row)
      for (const reason of reading.removed) log.add({ file, line: line.line, reason, effect: 'changed' })
    }
  }
  return [...rows.values()]
}

function headerProblem(columns: readonly string[]): string | null {
  const odd = columns.find((name) => !columnPattern.test(name))
  if (odd !== undefined) return `the header has a column that is no name: ${JSON.stringify(odd.slice(0, 40))}`
  if (new Set(columns).size < columns.length) return 'the header has a column twice'
  return columns.includes('slug') ? null : 'the header has no column slug'
}

type RowReading =
  | { readonly kind: 'row'; readonly row: NumberedRow; readonly removed: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string }

function readRow(columns: readonly string[], { line, cells }: CsvLine): RowReading {
  if (cells.length !== columns.length) {
    return { kind: 'invalid', reason: `${cells.length} cells where the header has ${columns.length}` }
  }
  const values = new Map<string, CellValue>()
  const removed: string[] = []
  for (const [place, column] of columns.entries()) {
    const reading = parseCell(column, cells[place] ?? '')
    if (reading.kind === 'invalid') return { kind: 'invalid', reason: `${column}: ${reading.reason}` }
    if (reading.value !== null) values.set(column, reading.value)
    removed.push(...reading.removed.map((what) => `${column}: ${what}`))
  }
  const slug = values.get('slug')
  if (typeof slug !== 'string' || !slugPattern.test(slug)) {
    return { kind: 'invalid', reason: 'slug: expected letters, digits, dots and dashes' }
  }
  return { kind: 'row', row: { slug, cells: values, columns, line }, removed }
}
