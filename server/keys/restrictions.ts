import { parseDomainRule } from '../../shared/allowed-domains.ts'
import { isNotPast } from '../../shared/api-keys.ts'
import type { InvalidField } from '../../shared/faults.ts'
import { fault } from '../platform/fault.ts'
import { describeFields } from '../platform/validation-text.ts'
import { parseAddressRule } from './addresses.ts'
import type { CheckableKey } from './check.ts'

type Restrictions = Pick<CheckableKey, 'allowedIps' | 'allowedDomains' | 'expiresAt'>

/** What a person says about where and until when a key works. */
export interface RestrictedInput {
  readonly allowedIps: readonly string[]
  readonly allowedDomains: readonly string[]
  readonly expiresAt: number | null
}

type Reading<Rule> =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Reads what the schema cannot check. `setExpiry` is the expiration that a key being edited has already: when it has
 * passed it stays, as no transition of the specification leads out of "expired". Fault: `invalid_request`, naming each
 * bad entry by its place (never by what it holds, which may be a key that was pasted into the wrong field) and what is
 * allowed.
 */
export function readRestrictions(
  input: RestrictedInput,
  now: number,
  setExpiry: number | null,
): Restrictions {
  const problems: InvalidField[] = []
  const allowedIps = readEntries('allowedIps', input.allowedIps, parseAddressRule, problems)
  const allowedDomains = readEntries('allowedDomains', input.allowedDomains, parseDomainRule, problems)
  const { expiresAt } = input
  const message = expiryProblem(expiresAt, now, setExpiry)
  if (message !== null) problems.push({ path: ['expiresAt'], message })
  if (problems.length > 0) throw fault('invalid_request', describeFields(problems), { fields: problems })
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
  problems: InvalidField[],
): Rule[] {
  const byText = new Map<string, Rule>()
  for (const [place, entry] of entries.entries()) {
    const reading = parse(entry)
    if (reading.kind === 'rule') byText.set(reading.rule.text, reading.rule)
    else problems.push({ path: [field, place], message: reading.why })
  }
  return [...byText.values()]
}
