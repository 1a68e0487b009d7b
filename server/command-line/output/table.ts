/** Returns a table with columns as wide as their longest cell. Lines do not end in spaces. */
export function formatTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((cells) => cells.map(printable))
  const widths = titles.map((_, column) =>
    Math.max(...lines.map((cells) => Bun.stringWidth(cells[column] ?? ''))),
  )
  return lines.map((cells) => `${formatLine(cells, widths)}\n`).join('')
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
  return padded.join('  ').trimEnd()
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Returns a text without line breaks, direction marks and control sequences: others chose the names that are printed. */
export const printable = (text: string): string => text.replaceAll(unprintable, '?')
