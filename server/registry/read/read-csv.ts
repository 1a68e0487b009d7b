import { parse } from 'csv-parse/sync'

/** A record of a CSV file. `line` is the number of the line on which the record begins, from 1. */
export interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvReading {
  readonly lines: readonly CsvLine[]
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
}

/** Bounds one record, quoted line breaks included, so that a quote which is never closed cannot exhaust memory. */
const maxLineChars = 1 << 20

/**
 * Reads CSV (RFC 4180, any kind of line break). Records that are not valid are skipped and reported in `problems`. A text
 * with such records is read once more without the blanks around its cells: the standard knows none outside of quotes, but
 * people and spreadsheets leave them there.
 */
export function readCsv(text: string): CsvReading {
  const exact = parseCsv(text, false)
  return exact.problems.length === 0 ? exact : parseCsv(text, true)
}

function parseCsv(text: string, trim: boolean): CsvReading {
  const problems: { line: number; reason: string }[] = []
  const lines: CsvLine[] = []
  // The parser counts a line break of two characters between quotes as two lines.
  parse(text.replaceAll('\r\n', '\n'), {
    bom: true,
    trim,
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
