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

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns true for an object that is written as several cells; an empty one is a value. */
const isNested = (value: unknown): value is Fields => isFields(value) && Object.keys(value).length > 0

const isTable = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isNested)

function rowsOf(key: string, items: readonly Fields[]): string[] {
  const lines: string[] = []
  let shape = ''
  for (const item of items) {
    const own = shapeOf(item)
    if (own !== shape) lines.push(`${key}{${own}}:`)
    shape = own
    lines.push(cellsOf(item).join(','))
  }
  return lines
}

const shapeOf = (item: Fields): string =>
  Object.entries(item)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => (isNested(value) ? `${key}{${shapeOf(value)}}` : key))
    .join(',')

const cellsOf = (item: Fields): string[] =>
  Object.values(item)
    .filter((value) => value !== undefined)
    .flatMap((value) => (isNested(value) ? cellsOf(value) : [JSON.stringify(value)]))
