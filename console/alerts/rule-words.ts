import type { ServiceSelector } from '../../shared/alert-services.ts'
import type { AlertCondition, AlertRuleView } from '../../shared/alerts.ts'
import { durationWords, holdWords } from './duration-words.ts'

export const conditionKinds = [
  'decision',
  'change',
  'flapping',
  'verifier',
  'installation',
  'certificateEndsIn',
  'keyExpiresIn',
  'creditsUsed',
  'toolsChanged',
  'account',
] as const
export type ConditionKind = (typeof conditionKinds)[number]

export const conditionTitles: Readonly<Record<ConditionKind, string>> = {
  decision: 'A service is DOWN, behind or UNKNOWN',
  change: 'The decision of a service changes',
  flapping: 'A service changes again and again',
  verifier: 'A verifier is silent or cut off',
  installation: 'The database, the store or the counts have trouble',
  certificateEndsIn: 'A TLS certificate is about to end',
  keyExpiresIn: 'A key is about to expire',
  creditsUsed: 'A query key has used much of its credits',
  toolsChanged: 'The definition of a tool changed',
  account: 'Somebody became an operator, or signed in from a new place',
}

export const verifierStateTitles = { gone: 'silent', isolated: 'cut off from its network' } as const
export const installationPartTitles = {
  database: 'the database is away',
  store: 'the shared store is away',
  usage: 'counts of calls wait to be written',
  history: 'history waits to be written',
} as const
export const accountEventTitles = {
  new_operator: 'a new operator',
  new_sign_in_place: 'an operator signs in from a new place',
} as const

/** `a`, `a or b`, `a, b or c`. */
const either = new Intl.ListFormat('en', { type: 'disjunction' })

export const conditionKindOf = (when: AlertCondition): ConditionKind =>
  conditionKinds.find((kind) => kind in when) ?? 'decision'

/** Conditions of services: only for these it is said which services are meant. */
export const isAboutServices = (kind: ConditionKind): boolean =>
  kind === 'decision' || kind === 'change' || kind === 'flapping' || kind === 'certificateEndsIn'

/** When a rule fires, in one line. */
export function conditionText(when: AlertCondition): string {
  if ('decision' in when) return `Decision is ${either.format(when.decision)} ${holdWords(when.for)}`
  if ('change' in when) return 'Any change of the decision'
  if ('flapping' in when)
    return `More than ${when.flapping.changes} changes in ${durationWords(when.flapping.within)}`
  if ('verifier' in when) {
    const states = when.verifier.map((state) => verifierStateTitles[state])
    return `Verifier is ${either.format(states)} ${holdWords(when.for)}`
  }
  if ('installation' in when) {
    const parts = either.format(when.installation.map((part) => installationPartTitles[part]))
    return `${parts.charAt(0).toUpperCase()}${parts.slice(1)} ${holdWords(when.for)}`
  }
  if ('keyExpiresIn' in when) return `Key expires within ${durationWords(when.keyExpiresIn)}`
  if ('creditsUsed' in when) return `Query key has used ${when.creditsUsed}% of its credits`
  if ('certificateEndsIn' in when) return `Certificate ends within ${durationWords(when.certificateEndsIn)}`
  if ('toolsChanged' in when) return 'Definition of a tool changed'
  const events = either.format(when.account.map((event) => accountEventTitles[event]))
  return `${events.charAt(0).toUpperCase()}${events.slice(1)}`
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

const subjectsOf: Readonly<Record<ConditionKind, string>> = {
  decision: 'all services',
  change: 'all services',
  flapping: 'all services',
  certificateEndsIn: 'all services',
  verifier: 'all verifiers',
  installation: 'this installation',
  keyExpiresIn: 'all keys',
  creditsUsed: 'keys with credits',
  toolsChanged: 'saved connections',
  account: 'all accounts',
}

/** For what a rule holds, in one line. */
export const ruleSubjectText = (
  { when, services }: Pick<AlertRuleView, 'when' | 'services'>,
  nameOf?: (id: string) => string,
): string => (services === undefined ? subjectsOf[conditionKindOf(when)] : selectorText(services, nameOf))
