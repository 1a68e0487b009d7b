import type { JsonObject, Value } from '../snapshot.ts'
import { withoutHidden } from './hidden-text.ts'
import { snapshotLimits } from './limits.ts'
import { isActiveAddress, openableUrl, withoutUnopenable } from './markdown-links.ts'

export type CellReading =
  | { readonly kind: 'value'; readonly value: Value | null; readonly taken: readonly string[] }
  | { readonly kind: 'wrong'; readonly reason: string }

/** Columns whose whole content is an address. */
const addressColumns: ReadonlySet<string> = new Set(['website', 'docs', 'mcpEndpoint', 'agentURI', 'image'])

const markdownLink = /^\[[^[\]"]*\]\(/
/** An address of a scheme, or something relative; `blowfish.xyz` without a scheme is neither, and is kept as text. */
const hasScheme = /^[a-z][a-z0-9+.-]*:/i

/**
 * One cell: empty and `null` are null, true and false are booleans, `[…]` and `{…}` are JSON, and the rest is text.
 * What must not be shown is taken out and named.
 */
export function parseCell(column: string, raw: string): CellReading {
  if (raw.length > snapshotLimits.cellChars) {
    return wrong(`longer than ${snapshotLimits.cellChars} characters`)
  }
  const text = raw.trim()
  if (text === '' || /^null$/i.test(text)) return { kind: 'value', value: null, taken: [] }
  if (/^true$/i.test(text)) return { kind: 'value', value: true, taken: [] }
  if (/^false$/i.test(text)) return { kind: 'value', value: false, taken: [] }
  const taken = new Set<string>()
  if ((text.startsWith('[') && !markdownLink.test(text)) || text.startsWith('{')) {
    const parsed = parseJson(text)
    if (parsed === undefined) return wrong('not valid JSON')
    if (depthOf(parsed) > maxDepth) return wrong(`JSON deeper than ${maxDepth} levels`)
    return { kind: 'value', value: cleanJson(column, parsed, taken) as Value, taken: [...taken] }
  }
  const value = cleanText(column, text, taken)
  return { kind: 'value', value: value === '' ? null : value, taken: [...taken] }
}

const wrong = (reason: string): CellReading => ({ kind: 'wrong', reason })

const maxDepth = 8

function parseJson(text: string): unknown {
  // Before parsing: what is deep enough to be of no use may also be deep enough to exhaust the stack.
  if (/(?:[[{]\s*){20}/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item))
  return deepest + 1
}

function cleanJson(column: string, value: unknown, taken: Set<string>): unknown {
  if (typeof value === 'string') return cleanText(column, value, taken)
  if (Array.isArray(value)) return value.map((item) => cleanJson(column, item, taken))
  if (typeof value !== 'object' || value === null) return value
  const cleaned: Record<string, JsonObject[string]> = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    cleaned[withoutHidden(key)] = cleanJson(column, item, taken) as JsonObject[string]
  }
  return cleaned
}

function cleanText(column: string, text: string, taken: Set<string>): string {
  const visible = withoutHidden(text)
  if (visible !== text) taken.add('hidden characters were removed')
  if (isActiveAddress(visible) || (addressColumns.has(column) && !isWebAddress(visible))) {
    taken.add('an address that is not http or https was removed')
    return ''
  }
  const openable = withoutUnopenable(visible)
  if (openable !== visible) taken.add('a link that is not http, https or mailto was removed; its text stays')
  return openable.trim()
}

const isWebAddress = (text: string): boolean =>
  !hasScheme.test(text) || (openableUrl(text) !== null && /^https?:/i.test(text))
