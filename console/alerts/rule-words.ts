import type { ServiceSelector } from '../../shared/alert-services.ts'
import type { AccountNews, AlertCondition, AlertRuleView, InstallationTrouble } from '../../shared/alerts.ts'
import { withCapital } from '../ui/sentence.ts'
import { durationWords, holdWords } from './duration-words.ts'

export const conditionKinds = [
  'decision',
  'change',
  'flapping',
  'certificate',
  'verifier',
  'keyEnds',
  'keyLimit',
  'budget',
  'installation',
  'tools',
  'account',
] as const
export type ConditionKind = (typeof conditionKinds)[number]

export const conditionTitles: Readonly<Record<ConditionKind, string>> = {
  decision: 'A service is DOWN, behind or UNKNOWN',
  change: 'The decision of a service changes',
  flapping: 'A service changes again and again',
  certificate: 'The certificate of a service ends',
  verifier: 'A verifier is silent or cut off',
  keyEnds: 'A key ends',
  keyLimit: 'A query key, or an account by its plan, has nearly used a limit',
  budget: 'An account or a key reaches its budget of the month',
  installation: 'Usage, limits or the database are in trouble',
  tools: 'Tools of a tool server changed',
  account: 'There is a new operator, or one signs in from a new place',
}

export const troubleTitles = {
  usage: 'usage is not written or rolled up',
  limits: 'the store of the limits is away',
  database: 'the database is away',
} as const satisfies Record<InstallationTrouble, string>

export const accountNewsTitles = {
  'new operator': 'somebody becomes an operator',
  'new place': 'an operator signs in from a new network',
} as const satisfies Record<AccountNews, string>

/** For what rules of each kind hold that are not about services. */
const otherSubjects = {
  verifier: 'all verifiers',
  keyEnds: 'keys of all accounts',
  keyLimit: 'query keys of all accounts',
  budget: 'accounts or query keys',
  installation: 'this installation',
  tools: 'all tool servers',
  account: 'all operators',
} as const satisfies Partial<Record<ConditionKind, string>>

export const verifierStateTitles = { gone: 'silent', isolated: 'cut off from its network' } as const

const budgetNumber = new Intl.NumberFormat('en')

/** `a`, `a or b`, `a, b or c`. */
const either = new Intl.ListFormat('en', { type: 'disjunction' })

export const conditionKindOf = (when: AlertCondition): ConditionKind =>
  conditionKinds.find((kind) => kind in when) ?? 'decision'

/** Conditions of services: only for these it is said which services are meant. */
export const isAboutServices = (kind: ConditionKind): boolean => !(kind in otherSubjects)

/** When a rule fires, in one line. */
export function conditionText(when: AlertCondition): string {
  if ('decision' in when) return `Decision is ${either.format(when.decision)} ${holdWords(when.for)}`
  if ('change' in when) return 'Any change of the decision'
  if ('flapping' in when)
    return `${when.flapping.changes} changes or more in ${durationWords(when.flapping.within)}`
  if ('certificate' in when) return `Certificate ends within ${durationWords(when.certificate.within)}`
  if ('keyEnds' in when) return `Key ends within ${durationWords(when.keyEnds.within)}`
  if ('keyLimit' in when) return `${when.keyLimit.percent}% of a key’s limit is used`
  if ('budget' in when) {
    const { of, id, measure, units, percent } = when.budget
    const whose = `${id === undefined ? 'any' : 'one'} ${of === 'account' ? 'account' : 'query key'}`
    return `${percent}% of ${budgetNumber.format(units)} ${measure} a month are used by ${whose}`
  }
  if ('tools' in when) return 'Tools are not those that were accepted'
  if ('account' in when)
    return withCapital(either.format(when.account.map((news) => accountNewsTitles[news])))
  if ('installation' in when) {
    const troubles = when.installation.map((trouble) => troubleTitles[trouble])
    return `${withCapital(either.format(troubles))} ${holdWords(when.for)}`
  }
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
    ...listed('label', selector?.label),
  ]
  return parts.length === 0 ? 'all services' : parts.join(', ')
}

/** For what a rule holds, in one line. */
export const ruleSubjectText = (
  { when, services }: Pick<AlertRuleView, 'when' | 'services'>,
  nameOf?: (id: string) => string,
): string => {
  const kind: string = conditionKindOf(when)
  const others: Readonly<Record<string, string>> = otherSubjects
  return others[kind] ?? selectorText(services, nameOf)
}
