import { parseDomainRule } from '../../shared/allowed-domains.ts'
import type { ApiKeyInput } from '../../shared/api-keys.ts'
import { isNotPast } from '../../shared/api-keys.ts'
import type { InvalidField } from '../../shared/faults.ts'
import { fault } from '../platform/fault.ts'
import { parseAddressRule } from './addresses.ts'
import type { Checkable } from './check.ts'

type Restrictions = Pick<Checkable, 'allowedIps' | 'allowedDomains' | 'expiresAt'>

type Reading<Rule> =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'refused'; readonly why: string }

interface Problem extends InvalidField {
  readonly path: readonly [field: 'allowedIps' | 'allowedDomains', place: number] | readonly ['expiresAt']
}

const maxProblems = 5

/**
 * Reads what the schema cannot check. `setExpiry` is the expiration that a key being edited has already: when it has
 * passed it stays, as no transition of the specification leads out of "expired". Fault: `invalid_request`, naming each
 * bad entry by its place (never by what it holds, which may be a key that was pasted into the wrong field) and what is
 * allowed.
 */
export function readRestrictions(input: ApiKeyInput, now: number, setExpiry: number | null): Restrictions {
  const problems: Problem[] = []
  const allowedIps = readEntries('allowedIps', input.allowedIps, parseAddressRule, problems)
  const allowedDomains = readEntries('allowedDomains', input.allowedDomains, parseDomainRule, problems)
  const { expiresAt } = input
  const message = expiryProblem(expiresAt, now, setExpiry)
  if (message !== null) problems.push({ path: ['expiresAt'], message })
  if (problems.length > 0) throw fault('invalid_request', describe(problems), { fields: problems })
  return { allowedIps, allowedDomains, expiresAt }
}

function expiryProblem(expiresAt: number | null, now: number, setExpiry: number | null): string | null {
  if (!isNotPast(setExpiry, now)) {
    return expiresAt === setExpiry ? null : 'this key has expired for good; make a new one'
  }
  return isNotPast(expiresAt, now) ? null : 'expected an instant in the future, or null for never'
}

function readEntries<Rule extends { readonly text: string }>(
  field: 'allowedIps' | 'allowedDomains',
  entries: readonly string[],
  parse: (entry: string) => Reading<Rule>,
  problems: Problem[],
): Rule[] {
  const byText = new Map<string, Rule>()
  for (const [place, entry] of entries.entries()) {
    const reading = parse(entry)
    if (reading.kind === 'rule') byText.set(reading.rule.text, reading.rule)
    else problems.push({ path: [field, place], message: reading.why })
  }
  return [...byText.values()]
}

function describe(problems: readonly Problem[]): string {
  const more = problems.length - maxProblems
  const texts = problems.slice(0, maxProblems).map(describeProblem)
  return texts.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

const describeProblem = ({ path: [field, place], message }: Problem): string =>
  `${field}${place === undefined ? '' : `[${place}]`}: ${message}`
