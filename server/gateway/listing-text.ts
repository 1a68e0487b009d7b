import { type Fields, isFields } from '../../shared/fields.ts'

/**
 * Writes a listing as the text that a model reads: every value of the structured content, in the same order, in fewer
 * characters than as JSON. Objects of one shape that follow each other become rows under a head with their keys, as in
 *
 *     networks{chain,name,services}:
 *     "base","Base",25
 *     total: 1
 *
 * Values are JSON, so that nothing is ambiguous.
 */
export function listingText(value: Readonly<Record<string, unknown>>): string {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .flatMap(([key, field]) => (isTable(field) ? rowsOf(key, field) : [`${key}: ${JSON.stringify(field)}`]))
    .join('\n')
}

/** Returns true for an object that is written as several cells; an empty one is a value. */
const isNested = (value: unknown): value is Fields => isFields(value) && Object.keys(value).length > 0

const isTable = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isNested)

function rowsOf(key: string, items: readonly Fields[]): string[] {
  const lines: string[] = []
  let shape = ''
  for (const item of items) {
    const cells: string[] = []
    const own = addCells(item, cells)
    if (own !== shape) lines.push(`${key}{${own}}:`)
    shape = own
    lines.push(cells.join(','))
  }
  return lines
}

/** Adds the values of an item to `cells` and returns their keys. */
function addCells(item: Fields, cells: string[]): string {
  let shape = ''
  for (const key of Object.keys(item)) {
    const value = item[key]
    if (value === undefined) continue
    if (shape !== '') shape += ','
    if (isNested(value)) {
      shape += `${key}{${addCells(value, cells)}}`
    } else {
      shape += key
      cells.push(JSON.stringify(value))
    }
  }
  return shape
}
