/**
 * Looks through a tool's definition for what speaks to the model behind the person's back. It judges no intent: a finding is
 * something that a person should read. Its rules are in `instruction-patterns.ts`, `instruction-structures.ts`,
 * `instruction-signals.ts`, `links.ts`, `comparable-text.ts` and `shadowed-names.ts`. Most new wordings escape them
 * (`scan-recall.test.ts`: of 50 attacks whose author knew no rule, 15 are found, and 4 of 100 honest texts are taken for one):
 * a definition without a finding is no better than its server.
 */
import type { ToolFinding, ToolFindingKind, ToolWarning } from '../call-results.ts'
import { comparableText, hiddenAt } from './comparable-text.ts'
import { instructionsIn } from './instruction-patterns.ts'
import { findLinks } from './links.ts'
import { isNameOfOurs } from './shadowed-names.ts'
import { walkTexts } from './walk-texts.ts'

const longTextBytes = 4_096
/** So much of one definition is looked through. A text that is longer than people read is a finding of its own. */
const maxScannedChars = 65_536
const maxFindings = 20
const excerptChars = 160

/** Keys whose values are addresses by their meaning in JSON Schema. */
const schemaAddresses: ReadonlySet<string> = new Set(['$schema', '$id', '$ref', '$anchor'])

/** Pictures for people: no model reads them, and their addresses are often `data:`. */
const isIcon = ([top]: readonly string[]): boolean => top === 'icons'

/** Findings that only the owner is shown: they are ordinary, and worth a look all the same. */
const forOwnerOnly: ReadonlySet<ToolFindingKind> = new Set(['link', 'same_name'])

/** Returns the findings of one definition in the order of its texts. */
export function scanDefinition(
  definition: Readonly<Record<string, unknown>> & { readonly name: string },
): ToolFinding[] {
  const findings: ToolFinding[] = []
  if (isNameOfOurs(definition.name))
    findings.push({ kind: 'shadows_gateway', where: 'name', excerpt: excerptOf(definition.name, 0, 0) })
  let left = maxScannedChars
  walkTexts(definition, [], (text, path) => {
    if (findings.length >= maxFindings) return
    findings.push(...findingsIn(text, Math.max(0, left), path).slice(0, maxFindings - findings.length))
    left -= text.length
  })
  return findings
}

/** Returns what an agent is told: the kinds of the findings, in a fixed order. */
export const warningsOf = (findings: readonly ToolFinding[]): ToolWarning[] =>
  [...new Set(findings.map(({ kind }) => kind))].filter(isWarning).toSorted()

const isWarning = (kind: ToolFindingKind): kind is ToolWarning => !forOwnerOnly.has(kind)

function findingsIn(whole: string, maxChars: number, path: readonly string[]): ToolFinding[] {
  const where = path.join('.')
  const text = whole.slice(0, maxChars)
  const found: ToolFinding[] = []
  const hidden = hiddenAt(text)
  if (hidden !== -1) found.push({ kind: 'hidden_characters', where, excerpt: excerptOf(text, hidden, 1) })
  if (isPhrase(text)) {
    const comparable = comparableText(text)
    for (const { kind, at, length } of instructionsIn(comparable))
      found.push({ kind: 'instructions', detail: kind, where, excerpt: excerptOf(comparable, at, length) })
  }
  if (!schemaAddresses.has(path.at(-1) ?? '') && !isIcon(path)) {
    for (const { at, length, isDeceptive } of findLinks(text))
      found.push({
        kind: isDeceptive ? 'deceptive_link' : 'link',
        where,
        excerpt: excerptOf(text, at, length),
      })
  }
  if (Buffer.byteLength(whole) > longTextBytes && !isIcon(path))
    found.push({ kind: 'long_text', where, excerpt: `${Buffer.byteLength(whole)} bytes` })
  return found
}

/** Names and values of one word are no phrases, unless they are in a script without blanks or disguised. */
const isPhrase = (text: string): boolean => text.length > 3 && /[^\x21-\x7e]|[<[]/.test(text)

/** Returns a match with some words around it. */
function excerptOf(text: string, at: number, length: number): string {
  const around = Math.max(0, Math.floor((excerptChars - length) / 2))
  const begin = Math.max(0, at - around)
  const end = Math.min(text.length, begin + excerptChars)
  return `${begin > 0 ? '…' : ''}${text.slice(begin, end).toWellFormed()}${end < text.length ? '…' : ''}`
}
