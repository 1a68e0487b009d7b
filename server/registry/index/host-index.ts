import type { CellValue } from '../snapshot.ts'

/** Returns the host and port of an address, or null for a text that is not one. */
export const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host || null : null)

/** Captures the host of each address in a cell, Markdown or not. */
const address = /https?:\/\/([^\s/?#()[\]"'<>@]+)/gi

/** Creates an index from hosts to the rows that link to them. */
export function createHostIndex() {
  const rows = new Map<string, number[]>()

  function addText(row: number, text: string): void {
    if (!text.includes('://')) return
    for (const [, found = ''] of text.matchAll(address)) {
      const host = found.toLowerCase()
      const known = rows.get(host)
      if (known === undefined) rows.set(host, [row])
      else if (known.at(-1) !== row) known.push(row)
    }
  }

  return {
    add(row: number, value: CellValue): void {
      if (typeof value === 'string') addText(row, value)
      else if (Array.isArray(value))
        for (const item of value) if (typeof item === 'string') addText(row, item)
    },
    rowsOf: (host: string): readonly number[] => rows.get(host) ?? [],
  }
}
