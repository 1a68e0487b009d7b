import { parseDomainRule } from '../../shared/allowed-domains.ts'
import type { ApiKeyInput } from '../../shared/api-keys.ts'
import { isNotPast } from '../../shared/api-keys.ts'
import { fault } from '../platform/fault.ts'
import { parseAddressRule } from './addresses.ts'
import type { Checkable } from './check.ts'

type Restrictions = Pick<Checkable, 'allowedIps' | 'allowedDomains' | 'expiresAt'>

type Reading<Rule> =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'refused'; readonly why: string }

const maxProblems = 5

/**
 * Reads what the schema cannot check. `keptExpiry` is the expiration that a key being edited has already: that one may
 * lie in the past. Fault: `invalid_request`, naming each bad entry by its place (never by what it holds, which may be
 * a key that was pasted into the wrong field) and what is allowed.
 */
export function readRestrictions(input: ApiKeyInput, now: number, keptExpiry: number | null): Restrictions {
  const problems: string[] = []
  const allowedIps = readEntries('allowedIps', input.allowedIps, parseAddressRule, problems)
  const allowedDomains = readEntries('allowedDomains', input.allowedDomains, parseDomainRule, problems)
  const { expiresAt } = input
  if (!isNotPast(expiresAt, now) && expiresAt !== keptExpiry) {
    problems.push('expiresAt: expected an instant in the future, or null for never')
  }
  if (problems.length > 0) throw fault('invalid_request', describe(problems))
  return { allowedIps, allowedDomains, expiresAt }
}

function readEntries<Rule extends { readonly text: string }>(
  field: string,
  entries: readonly string[],
  parse: (entry: string) => Reading<Rule>,
  problems: string[],
): Rule[] {
  const byText = new Map<string, Rule>()
  for (const [place, entry] of entries.entries()) {
    const reading = parse(entry)
    if (reading.kind === 'rule') byText.set(reading.rule.text, reading.rule)
    else problems.push(`${field}[${place}]: ${reading.why}`)
  }
  return [...byText.values()]
}

function describe(problems: readonly string[]): string {
  const more = problems.length - maxProblems
  return problems.slice(0, maxProblems).join('; ') + (more > 0 ? `; and ${more} more` : '')
}
