import type postgres from 'postgres'

/**
 * Array types of PostgreSQL for postgres.js, by their fixed type ids (pg_type.dat), one-dimensional.
 * The driver would ask each new connection for them (`fetch_types`), but nobody hears the failure of that
 * question: a server that goes away at this moment causes an unhandled rejection, which ends the process.
 *
 * Of an array that begins with a boolean, bigint, Date or Uint8Array the driver tells the server that it is one
 * such value, not an array: pass those as texts (`${flags.map(String)}::bool[]`).
 */
export const arrayTypes: Record<string, postgres.PostgresType> = {
  textArray: arrayType([1009, 1015], (text) => text), // text, varchar
  numberArray: arrayType([1005, 1007, 1021, 1022], Number), // smallint, int, real, double precision
  bigintArray: arrayType([1016], (text) => text), // as a single bigint, which may exceed 2^53
  booleanArray: arrayType([1000], (text) => text === 't'),
  dateArray: arrayType([1185, 1115], (text) => new Date(text)), // timestamptz, timestamp
  byteaArray: arrayType([1001], (text) => Buffer.from(text.slice(2), 'hex')),
  jsonArray: arrayType([199, 3807], (text) => JSON.parse(text)), // json, jsonb
  uuidArray: arrayType([2951], (text) => text),
  addressArray: arrayType([1041, 651], (text) => text), // inet, cidr
}

function arrayType(
  ids: [number, ...number[]],
  parseElement: (text: string) => unknown,
): postgres.PostgresType {
  return {
    to: ids[0],
    from: ids,
    serialize: formatArray,
    parse: (literal: string) =>
      parseArray(literal).map((text) => (text === null ? null : parseElement(text))),
  }
}

/** An array literal (PostgreSQL manual, 8.15.6). A string is taken for a literal already. */
export function formatArray(elements: readonly unknown[] | string): string {
  if (typeof elements === 'string') return elements
  return `{${elements.map(formatElement).join(',')}}`
}

function formatElement(element: unknown): string {
  // Most elements of large arrays are numbers, which need no quotes.
  if (typeof element === 'number') return String(element)
  if (element === undefined) throw new TypeError('undefined is no element of an SQL array: use null')
  if (element === null) return 'NULL'
  return `"${elementText(element).replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

const elementText = (element: unknown): string =>
  typeof element === 'object' ? JSON.stringify(element) : String(element)

/** The texts of the elements of a one-dimensional array literal; null for NULL. */
export function parseArray(literal: string): (string | null)[] {
  const element = /"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^,{}"]+)/gs
  return [...literal.matchAll(element)].map(({ groups }) => {
    if (groups?.['quoted'] !== undefined) return groups['quoted'].replaceAll(/\\(.)/gs, '$1')
    const bare = groups?.['bare'] ?? ''
    return bare === 'NULL' ? null : bare
  })
}
