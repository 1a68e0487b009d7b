/** One line of two texts that are compared. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** More than this is not worth the time: then all of the one is removed, and all of the other added. */
const mostCells = 2_000_000

/** The fewest lines that have to go and to come, so that the one text becomes the other. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const columns = now.length + 1
  if ((old.length + 1) * columns > mostCells) return [...old.map(removed), ...now.map(added)]
  const common = commonLengths(old, now)
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length && column < now.length) {
    const text = old[row] ?? ''
    if (text === now[column]) {
      lines.push({ kind: 'same', text })
      row++
      column++
    } else if ((common[(row + 1) * columns + column] ?? 0) >= (common[row * columns + column + 1] ?? 0)) {
      lines.push(removed(text))
      row++
    } else {
      lines.push(added(now[column] ?? ''))
      column++
    }
  }
  return [...lines, ...old.slice(row).map(removed), ...now.slice(column).map(added)]
}

const removed = (text: string): DiffLine => ({ kind: 'removed', text })
const added = (text: string): DiffLine => ({ kind: 'added', text })

/** Of the texts from each pair of lines on: how many lines they have in common, in that order. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const columns = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * columns)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const [below, right] = [
        lengths[(row + 1) * columns + column] ?? 0,
        lengths[row * columns + column + 1] ?? 0,
      ]
      const isSame = old[row] === now[column]
      lengths[row * columns + column] = isSame
        ? (lengths[(row + 1) * columns + column + 1] ?? 0) + 1
        : Math.max(below, right)
    }
  }
  return lengths
}
