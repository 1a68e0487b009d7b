import { openableUrl } from '../../../shared/openable-url.ts'
import { parseJson } from '../../platform/json.ts'
import type { CellObject, CellValue } from '../snapshot.ts'
import { withoutHidden } from './hidden-text.ts'
import { snapshotLimits } from './limits.ts'
import { isActiveAddress, withoutForbiddenLinks } from './markdown-links.ts'

export type CellReading =
  | { readonly kind: 'value'; readonly value: CellValue | null; readonly removed: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Columns whose whole content is an address. */
const addressColumns: ReadonlySet<string> = new Set(['website', 'docs', 'mcpEndpoint', 'agentURI', 'image'])

const markdownLink = /^\[[^[\]"]*\]\(/
/** Matches an address with a scheme. `blowfish.xyz` has none and is kept as text. */
const hasScheme = /^[a-z][a-z0-9+.-]*:/i

/**
 * Parses one cell: empty and `null` are null, true and false are booleans, `[…]` and `{…}` are JSON, and the rest is
 * text. Hidden characters and links that may not be opened are removed; `removed` has a sentence for each kind.
 */
export function parseCell(column: string, raw: string): CellReading {
  if (raw.length > snapshotLimits.cellChars) {
    return invalid(`longer than ${snapshotLimits.cellChars} characters`)
  }
  const text = raw.trim()
  if (text === '' || /^null$/i.test(text)) return { kind: 'value', value: null, removed: [] }
  if (/^true$/i.test(text)) return { kind: 'value', value: true, removed: [] }
  if (/^false$/i.test(text)) return { kind: 'value', value: false, removed: [] }
  const removed = new Set<string>()
  if ((text.startsWith('[') && !markdownLink.test(text)) || text.startsWith('{')) {
    // This check comes before parsing, because nesting that is deep enough can exhaust the stack of the parser.
    const parsed = /(?:[[{]\s*){20}/.test(text) ? undefined : parseJson(text)
    if (parsed === undefined) return invalid('not valid JSON')
    if (depthOf(parsed) > maxDepth) return invalid(`JSON deeper than ${maxDepth} levels`)
    return { kind: 'value', value: cleanJson(column, parsed, removed) as CellValue, removed: [...removed] }
  }
  const value = cleanText(column, text, removed)
  return { kind: 'value', value: value === '' ? null : value, removed: [...removed] }
}

const invalid = (reason: string): CellReading => ({ kind: 'invalid', reason })

const maxDepth = 8

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const item of Object.values(value)) deepest = Math.max(deepest, depthOf(item))
  return deepest + 1
}

function cleanJson(column: string, value: unknown, removed: Set<string>): unknown {
  if (typeof value === 'string') return cleanText(column, value, removed)
  if (Array.isArray(value)) return value.map((item) => cleanJson(column, item, removed))
  if (typeof value !== 'object' || value === null) return value
  const cleaned: Record<string, CellObject[string]> = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    cleaned[withoutHidden(key)] = cleanJson(column, item, removed) as CellObject[string]
  }
  return cleaned
}

function cleanText(column: string, text: string, removed: Set<string>): string {
  const visible = withoutHidden(text)
  if (visible !== text) removed.add('hidden characters were removed')
  if (isActiveAddress(visible) || (addressColumns.has(column) && !isWebAddress(visible))) {
    removed.add('an address that is not http or https was removed')
    return ''
  }
  const openable = withoutForbiddenLinks(visible)
  if (openable !== visible)
    removed.add('a link that is not http, https or mailto was removed; its text stays')
  return openable.trim()
}

const isWebAddress = (text: string): boolean =>
  !hasScheme.test(text) || (openableUrl(text) !== null && /^https?:/i.test(text))
