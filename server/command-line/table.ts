/** Columns aligned under their titles, as wide as their longest cell; the last one is not padded. */
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

/** Names were chosen by others: a line break or a terminal's control sequence in one must not reach the terminal. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
