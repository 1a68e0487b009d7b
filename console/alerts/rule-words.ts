import type { ServiceSelector } from '../../shared/alert-services.ts'
import type { AlertCondition, AlertRuleView } from '../../shared/alerts.ts'
import { durationWords, holdWords } from './duration-words.ts'

export const conditionKinds = ['decision', 'change', 'flapping', 'verifier'] as const
export type ConditionKind = (typeof conditionKinds)[number]

export const conditionTitles: Readonly<Record<ConditionKind, string>> = {
  decision: 'A service is DOWN, behind or UNKNOWN',
  change: 'The decision of a service changes',
  flapping: 'A service changes again and again',
  verifier: 'A verifier is silent or cut off',
}

export const verifierStateTitles = { gone: 'silent', isolated: 'cut off from its network' } as const

/** `a`, `a or b`, `a, b or c`. */
const either = new Intl.ListFormat('en', { type: 'disjunction' })

export const conditionKindOf = (when: AlertCondition): ConditionKind =>
  conditionKinds.find((kind) => kind in when) ?? 'decision'

/** Conditions of services: only for these it is said which services are meant. */
export const isAboutServices = (kind: ConditionKind): boolean => kind !== 'verifier'

/** When a rule fires, in one line. */
export function conditionText(when: AlertCondition): string {
  if ('decision' in when) return `Decision is ${either.format(when.decision)} ${holdWords(when.for)}`
  if ('change' in when) return 'Any change of the decision'
  if ('flapping' in when)
    return `More than ${when.flapping.changes} changes in ${durationWords(when.flapping.within)}`
  const states = when.verifier.map((state) => verifierStateTitles[state])
  return `Verifier is ${either.format(states)} ${holdWords(when.for)}`
}

const listed = (title: string, values: string | readonly string[] | undefined): readonly string[] =>
  values === undefined ? [] : [`${title} ${either.format(typeof values === 'string' ? [values] : values)}`]

/** Which services are meant, in one line. `nameOf` gives the name of a service by its id. */
export function selectorText(
  selector: ServiceSelector | undefined,
  nameOf: (id: string) => string = (id) => id,
): string {
  const ids = typeof selector?.id === 'string' ? [selector.id] : selector?.id
  const parts = [
    ...(ids === undefined ? [] : [either.format(ids.map(nameOf))]),
    ...listed('chain', selector?.chain),
    ...listed('provider', selector?.provider),
  ]
  return parts.length === 0 ? 'all services' : parts.join(', ')
}

/** For what a rule holds, in one line. */
export const ruleSubjectText = (
  { when, services }: Pick<AlertRuleView, 'when' | 'services'>,
  nameOf?: (id: string) => string,
): string => (isAboutServices(conditionKindOf(when)) ? selectorText(services, nameOf) : 'all verifiers')
