import { parse } from 'csv-parse/sync'

/** A line of a CSV file. The number is that of the line on which it begins, from 1. */
export interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvReading {
  readonly lines: readonly CsvLine[]
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
}

/** Of one line, quoted line breaks included: a quote that is never closed does not swallow the rest of the memory. */
const maxLineChars = 1 << 20

/** RFC 4180, and line breaks of any kind. What cannot be read is skipped and reported. */
export function readCsv(text: string): CsvReading {
  const problems: { line: number; reason: string }[] = []
  const lines: CsvLine[] = []
  // The parser counts a line break of two characters as two lines when it stands between quotes.
  parse(text.replaceAll('\r\n', '\n'), {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxLineChars,
    on_record(cells: string[], { lines: lastLine }) {
      lines.push({ line: lastLine - lineBreaksIn(cells), cells })
      return undefined
    },
    on_skip(error) {
      problems.push({ line: lineOf(error), reason: `not valid CSV (${reasonOf(error)})` })
      return undefined
    },
  })
  return { lines, problems }
}

const lineOf = (error: unknown): number =>
  error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : 1

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code).replace('CSV_', '').toLowerCase().replaceAll('_', ' ')
    : 'unreadable'

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r|\n/g)?.length ?? 0), 0)
