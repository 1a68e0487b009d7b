import type { Value } from '../snapshot.ts'

/** Null: the text is no address of a host. */
export const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host || null : null)

/** Addresses in cells, Markdown or not: only their hosts matter. */
const address = /https?:\/\/([^\s/?#()[\]"'<>@]+)/gi

/** Which rows have a link to a host. */
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
    add(row: number, value: Value): void {
      if (typeof value === 'string') addText(row, value)
      else if (Array.isArray(value))
        for (const item of value) if (typeof item === 'string') addText(row, item)
    },
    rowsOf: (host: string): readonly number[] => rows.get(host) ?? [],
  }
}
