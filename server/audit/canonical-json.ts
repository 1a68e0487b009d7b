import type { JsonValue } from '../../shared/audit.ts'

/**
 * The one text of a JSON value, by RFC 8785: no white space, members sorted by the UTF-16 code units of their names,
 * numbers and strings as ECMAScript writes them.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
