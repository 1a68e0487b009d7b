import type { AlertCondition, AlertSubject, MonthBudget } from '../../../shared/alerts.ts'
import { durationMs } from '../../../shared/alert-times.ts'
import { dayMs } from '../../../shared/durations.ts'
import { isVerifierSilent } from '../../../shared/verifier-state.ts'
import type { EventType, Severity } from '../alert-event.ts'
import type { RuleFinding, RuleWorld } from './rule-finding.ts'
import type {
  AccountEvent,
  MonthBudgetUse,
  ChangedTools,
  EndingKey,
  KnownTrouble,
  UsedLimit,
  WatchedVerifier,
} from './watched.ts'

/** Returns for what a rule holds that is not about services: verifiers, keys, the installation, tool servers, accounts. */
export function findingsOfOthers(when: AlertCondition, { now, facts }: RuleWorld): RuleFinding[] {
  if ('verifier' in when)
    return facts.verifiers.flatMap((verifier) => findingOfVerifier(when.verifier, verifier, now))
  if ('keyEnds' in when) {
    const until = now + durationMs(when.keyEnds.within)
    const ending = facts.endingKeys.filter(({ endsAt }) => now < endsAt && endsAt <= until)
    return ending.map((key) => findingOfEnd(key, now))
  }
  if ('keyLimit' in when) {
    const { percent } = when.keyLimit
    const nearlyFull = facts.usedLimits.filter(({ used, limit }) => used * 100 >= limit * percent)
    return nearlyFull.map((limit) => findingOfLimit(limit, percent, now))
  }
  if ('budget' in when) {
    const { of, id, measure, units, percent } = when.budget
    return facts.budgetUses
      .filter((use) => use.of === of && use.measure === measure && (id === undefined || use.id === id))
      .filter(({ used }) => used * 100 >= units * percent)
      .map((use) => findingOfBudget(use, when.budget, now))
  }
  if ('installation' in when)
    return facts.troubles.filter(({ kind }) => when.installation.includes(kind)).map(findingOfTrouble)
  if ('tools' in when) return facts.changedTools.map((server) => findingOfTools(server, now))
  if (!('account' in when)) return []
  return facts.accountEvents.filter(({ kind }) => when.account.includes(kind)).map(findingOfAccount)
}

const findingOfEnd = (key: EndingKey, now: number): RuleFinding =>
  finding('key.expiring', 'key', key, {
    since: now,
    severity: key.endsAt - now < 2 * dayMs ? 'error' : 'warning',
    summary: `The ${key.kind} key ${key.name} ends at ${dateText(key.endsAt)}`,
    data: { endsAt: new Date(key.endsAt).toISOString() },
  })

/** Which share is used goes up with every call: the sentence says what does not change by itself. */
function findingOfLimit(usedLimit: UsedLimit, percent: number, now: number): RuleFinding {
  const { of, name, measure, used, limit, period } = usedLimit
  const isSpent = used >= limit
  const whose = of === 'key' ? `The query key ${name} has` : `All keys of the account ${name} together have`
  const share = isSpent ? 'all' : `at least ${percent}% of the`
  return finding(`${of}.limit_used`, of, usedLimit, {
    since: now,
    severity: isSpent ? 'error' : 'warning',
    summary: `${whose} used ${share} ${limit.toLocaleString('en')} ${measure} of ${of === 'key' ? 'its' : 'their'} ${period}`,
    data: { limit, measure, period },
  })
}

/** Each month is an alert of its own, which is over with the month. */
function findingOfBudget(use: MonthBudgetUse, { units, percent }: MonthBudget, now: number): RuleFinding {
  const { id, name, of, measure, used, month } = use
  const whose = of === 'account' ? `The account ${name}` : `The query key ${name}`
  return finding(
    'budget.used',
    of,
    { id: `${id} ${month}`, name },
    {
      since: now,
      severity: used >= units ? 'error' : 'warning',
      summary: `${whose} has used ${percent}% of its ${units.toLocaleString('en')} ${measure} of ${month}`,
      data: { [of]: id, measure, units, month },
    },
  )
}

const findingOfTrouble = ({ kind, since, text }: KnownTrouble): RuleFinding =>
  finding(
    'installation.changed',
    'installation',
    { id: kind, name: troubleNames[kind] },
    { since, severity: 'error', summary: text },
  )

const findingOfTools = (server: ChangedTools, now: number): RuleFinding =>
  finding('tools.changed', 'connection', server, {
    since: now,
    summary: `Tools of ${server.name} are not those that were accepted: ${listText(server.tools)}`,
    data: { tools: server.tools.length },
  })

const findingOfAccount = ({ id, name, kind, at, network }: AccountEvent): RuleFinding =>
  finding(
    'account.changed',
    'account',
    { id: `${id} ${network ?? kind}`, name },
    {
      since: at,
      summary:
        kind === 'new operator'
          ? `${name} became an operator`
          : `The operator ${name} signed in from a network that is new for the account: ${network}`,
      data: { account: id, what: kind, network },
    },
  )

const troubleNames = { usage: 'Usage', limits: 'Limits', database: 'Database' } as const

function findingOfVerifier(wanted: readonly string[], verifier: WatchedVerifier, now: number): RuleFinding[] {
  const { name, lastSeenAt, silentAt, isIsolated } = verifier
  if (isIsolated && wanted.includes('isolated')) {
    const summary = `The verifier ${name} says that it is cut off`
    return [finding('verifier.changed', 'verifier', verifier, { since: now, severity: 'error', summary })]
  }
  if (lastSeenAt === null || !isVerifierSilent(verifier, now) || !wanted.includes('gone')) return []
  const summary = `The verifier ${name} has not reported since ${dateText(lastSeenAt)}`
  return [
    finding('verifier.changed', 'verifier', verifier, { since: silentAt ?? now, severity: 'error', summary }),
  ]
}

interface Told {
  readonly since: number
  readonly severity?: Severity
  readonly summary: string
  readonly data?: RuleFinding['data']
}

const finding = (
  type: EventType,
  kind: AlertSubject,
  { id, name }: { readonly id: string; readonly name: string },
  { since, severity = 'warning', summary, data = {} }: Told,
): RuleFinding => ({
  type,
  severity,
  decision: null,
  subject: { kind, id, name },
  summary,
  since,
  data: { id, name, ...data },
})

const mostNamed = 5

const listText = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`

/** Returns an instant (epoch ms) for people, to the minute. */
export const dateText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
