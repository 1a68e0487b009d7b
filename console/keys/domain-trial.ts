import { apexOf, matchingRule, parseDomainRule } from '../../shared/allowed-domains.ts'
import type { DomainRule } from '../../shared/allowed-domains.ts'

/** Whether a page would be let in by a list of Allowed Domains. */
export type DomainTrial =
  | { readonly kind: 'nothing typed' }
  | { readonly kind: 'no address' }
  /** The list is blank. */
  | { readonly kind: 'any'; readonly origin: string }
  | { readonly kind: 'allowed'; readonly origin: string; readonly rule: string }
  | { readonly kind: 'refused'; readonly origin: string }

/** `typed` is an address as people write it, with or without scheme and path. */
export function tryAddress(entries: readonly string[], typed: string): DomainTrial {
  const text = typed.trim()
  if (text === '') return { kind: 'nothing typed' }
  const origin = originOf(text)
  if (origin === null) return { kind: 'no address' }
  if (entries.length === 0) return { kind: 'any', origin }
  const rule = matchingRule(rulesOf(entries), origin)
  return rule === null ? { kind: 'refused', origin } : { kind: 'allowed', origin, rule: rule.text }
}

/** What the `*.x.y` of a list leave out and nothing else lets in: `x.y` itself. */
export function missingApexes(entries: readonly string[]): readonly string[] {
  const rules = rulesOf(entries)
  const apexes = rules.map(apexOf).filter((apex) => apex !== null)
  return [...new Set(apexes)].filter((apex) => !isLetIn(rules, apex))
}

const isLetIn = (rules: readonly DomainRule[], entry: string): boolean =>
  matchingRule(rules, entry.includes('://') ? entry : `https://${entry}`) !== null

/** Entries with a mistake allow nothing. */
const rulesOf = (entries: readonly string[]): readonly DomainRule[] =>
  entries.flatMap((entry) => {
    const reading = parseDomainRule(entry)
    return reading.kind === 'rule' ? [reading.rule] : []
  })

function originOf(text: string): string | null {
  const address = text.includes('://') ? text : `https://${text}`
  if (/\s|\*/.test(text) || !URL.canParse(address)) return null
  const { origin, hostname } = new URL(address)
  return origin === 'null' || hostname === '' ? null : origin
}
