import { openableUrl } from '../../shared/openable-url.ts'
import { withCapital } from '../ui/sentence.ts'

/** A stretch of a cell's text. */
export type CellPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }

/** Text and address of `[text](address)`; the address may hold pairs of parentheses. */
const markdownLink = /\[([^[\]]{0,300})\]\(((?:[^()]|\([^()]*\))*)\)/g

/** Markdown links and whole addresses become links when they may be opened; everything else stays text. */
export function cellParts(text: string): CellPart[] {
  const whole = /^https?:\/\/\S+$/i.test(text) ? openableUrl(text) : null
  if (whole !== null) return [{ kind: 'link', label: text, url: whole }]
  const parts: CellPart[] = []
  let end = 0
  for (const match of text.matchAll(markdownLink)) {
    const [all, label = '', address = ''] = match
    const url = openableUrl(address.trim())
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push(
      url === null ? { kind: 'text', text: label } : { kind: 'link', label: label.trim() || url, url },
    )
    end = match.index + all.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

/** What a cell holds, in the way in which it is shown. */
export type CellView =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'json'; readonly text: string }

/** Null: there is nothing to show. */
export function cellView(value: unknown): CellView | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return { kind: 'texts', texts: [value ? 'Yes' : 'No'] }
  if (typeof value === 'string' || typeof value === 'number') return { kind: 'texts', texts: [String(value)] }
  if (Array.isArray(value)) {
    if (value.length === 0) return null
    if (value.every((item) => typeof item === 'string')) return { kind: 'texts', texts: value }
  }
  return { kind: 'json', text: JSON.stringify(value, null, 2) }
}

/** `actionButtons` reads `Action buttons`; labels of the registry come before that. */
export function columnTitle(column: string, labels: ReadonlyMap<string, string>): string {
  const known = labels.get(column)
  if (known !== undefined) return known
  const words = column
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return withCapital(words)
}
