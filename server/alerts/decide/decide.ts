/**
 * What is told to whom, decided anew at each look. Pure: the clock, the ids and all that is known come in, and what is to be
 * stored and told comes out.
 *
 * 1. Each rule finds the subjects for which it holds (`conditions.ts`). A new one is pending until it has held long enough.
 * 2. One that has is firing, unless something larger is the cause (`causes.ts`): then it is covered, and one alert of the cause
 *    fires for all of them. When the cause is over, what is still bad after a minute fires for itself.
 * 3. What is firing is told to each channel of its rule once, and again after the rule's `repeat`, unless it is held back
 *    (`held-back.ts`). Where alerts expire that are not told again, they are told each day, unchanged.
 * 4. What holds no more is resolved, and whoever was told of it is told so. UNKNOWN resolves nothing but itself: a node of
 *    which nobody knows is not known to be well.
 */
import type { MaintenanceWindow, AlertSilence } from '../../../shared/alert-times.ts'
import { durationMs } from '../../../shared/alert-times.ts'
import type { AlertRule } from '../../../shared/alerts.ts'
import { dayMs } from '../../../shared/durations.ts'
import type { AlertEvent } from '../alert-event.ts'
import { type CommonCause, type FindCause, createFindCause } from './causes.ts'
import { findingsOf, ruleHoldMs, isAboutDecisions } from './conditions.ts'
import type { RuleFinding, RuleWorld } from './rule-finding.ts'
import { heldBack } from './held-back.ts'
import { type OpenAlert, keyOf, newAlert } from './open-alert.ts'
import { resolvedFinding } from './resolved.ts'

export interface DecideInput extends RuleWorld {
  readonly rules: readonly AlertRule[]
  /** Names of the channels that there are. */
  readonly channels: ReadonlySet<string>
  /** Names of those at which an alert that is not told again is over after a while. */
  readonly expiring: ReadonlySet<string>
  readonly silences: readonly AlertSilence[]
  readonly windows: readonly MaintenanceWindow[]
  /** The services that changed; null: everything is looked at. */
  readonly only: ReadonlySet<string> | null
  readonly newId: () => string
}

/** One thing that a channel is told. The composition of messages adds to which earlier one it belongs. */
export interface AlertNotification {
  readonly channel: string
  readonly key: string
  readonly alert: OpenAlert
  readonly event: Omit<AlertEvent, 'incident' | 'endsIncident'>
}

export interface Decided {
  /** Everything that is open, by its key. */
  readonly alerts: ReadonlyMap<string, OpenAlert>
  /** What is resolved; of these only those that had fired. */
  readonly ended: readonly OpenAlert[]
  readonly told: readonly AlertNotification[]
}

/** What is still bad so long (ms) after its cause is over is told for itself. */
const graceMs = 60_000

/** What would expire is told again so often (ms): a third of the time that it is to last (`channels/alertmanager.ts`). */
const renewMs = dayMs

export function decideAlerts(before: ReadonlyMap<string, OpenAlert>, input: DecideInput): Decided {
  const alerts = new Map(before)
  const ended: [string, OpenAlert][] = []
  const rules = new Map(input.rules.filter(({ enabled }) => enabled).map((rule) => [rule.name, rule]))
  const found = find(alerts, rules, input)
  for (const [key, alert] of alerts) {
    if (isOver(key, alert, { rules, found, input })) {
      alerts.delete(key)
      if (alert.phase === 'firing') ended.push([key, alert])
    }
  }
  const causeOf = createFindCause(input)
  fire(alerts, rules, causeOf, input)
  ended.push(...followCauses(alerts, causeOf, input))
  return {
    alerts,
    ended: ended.map(([, alert]) => alert),
    told: [...tell(alerts, rules, input), ...tellEnds(ended, input)],
  }
}

type Rules = ReadonlyMap<string, AlertRule>

/** Takes what the rules find, and returns the keys of it. */
function find(alerts: Map<string, OpenAlert>, rules: Rules, input: DecideInput): Set<string> {
  const { only, services, now, newId } = input
  const looked = only === null ? [...services.values()] : [...only].flatMap((id) => services.get(id) ?? [])
  const found = new Set<string>()
  for (const rule of rules.values()) {
    if (only !== null && !isAboutDecisions(rule.when)) continue
    for (const finding of findingsOf(rule, input, looked)) {
      const key = keyOf(rule.name, finding.subject)
      const known = alerts.get(key)
      found.add(key)
      // The alert began when it did, whatever the reason is by now, and not later than now: a clock may have been set back.
      const since = Math.min((known ?? { finding }).finding.since, now)
      const next = known && { ...known, finding: { ...finding, since } }
      if (next === undefined) alerts.set(key, newAlert(newId(), rule.name, { ...finding, since }, now))
      else if (!isSame(known, next)) alerts.set(key, next)
    }
  }
  return found
}

interface Over {
  readonly rules: Rules
  readonly found: ReadonlySet<string>
  readonly input: DecideInput
}

function isOver(
  key: string,
  { rule: name, finding, affected, phase }: OpenAlert,
  { rules, found, input }: Over,
): boolean {
  const rule = rules.get(name)
  if (rule === undefined) return true
  if (affected > 0 || found.has(key)) return false // those of causes end with what they stand for
  const isService = finding.subject.kind === 'service' && isAboutDecisions(rule.when)
  if (input.only !== null && !(isService && input.only.has(finding.subject.id))) return false
  const service = isService ? input.services.get(finding.subject.id) : undefined
  const isUnsure = service?.decision === 'UNKNOWN' && 'decision' in rule.when && phase !== 'pending'
  return !isUnsure
}

/** Lets what has held long enough fire, or be covered by its cause. */
function fire(
  alerts: Map<string, OpenAlert>,
  rules: Rules,
  causeOf: FindCause,
  { now, newId }: DecideInput,
): void {
  for (const [key, alert] of alerts) {
    const rule = rules.get(alert.rule)
    const isUntold = alert.phase === 'firing' && alert.toldAt === null && alert.affected === 0
    if (rule === undefined || (alert.phase !== 'pending' && !isUntold)) continue
    if (alert.phase === 'pending' && now - alert.finding.since < ruleHoldMs(rule.when)) continue
    const cause = causeOf(alert.finding)
    const firedAt = alert.phase === 'pending' ? now : alert.firedAt
    if (cause === null) {
      if (alert.phase === 'pending') alerts.set(key, { ...alert, phase: 'firing', firedAt })
      continue
    }
    const coveredBy = keyOf(alert.rule, cause.subject)
    alerts.set(key, { ...alert, phase: 'covered', coveredBy, firedAt })
    if (!alerts.has(coveredBy)) {
      const finding = causeFinding(cause, alert.finding, 1, now)
      alerts.set(coveredBy, { ...newAlert(newId(), alert.rule, finding, now), phase: 'firing', affected: 1 })
    }
  }
}

const causeFinding = (
  { subject, text }: CommonCause,
  { decision, severity }: RuleFinding,
  affected: number,
  since: number,
): RuleFinding => ({
  type: subject.kind === 'chain' ? 'chain.reference_lost' : 'verifier.changed',
  severity,
  decision,
  subject,
  summary: `${text}; ${affected === 1 ? 'one service is' : `${affected} services are`} affected`,
  since,
  data: { ...(subject.kind === 'chain' && { chain: subject.id }), name: subject.name, affected },
})

/** Counts what each cause stands for. Returns those that stand for nothing any more, which are over. */
function followCauses(
  alerts: Map<string, OpenAlert>,
  causeOf: FindCause,
  { now }: DecideInput,
): [string, OpenAlert][] {
  const covered = Map.groupBy(
    [...alerts].filter(([, { phase }]) => phase === 'covered'),
    ([, { coveredBy }]) => coveredBy,
  )
  const ended: [string, OpenAlert][] = []
  for (const [key, alert] of alerts) {
    if (alert.affected === 0) continue
    const members = covered.get(key) ?? []
    const cause = members
      .map(([, member]) => causeOf(member.finding))
      .find((one) => one?.subject.id === alert.finding.subject.id)
    const causeOverAt = cause ? null : Math.min(alert.causeOverAt ?? now, now)
    const isDetached = causeOverAt !== null && now - causeOverAt >= graceMs
    if (members.length === 0 || isDetached) {
      alerts.delete(key)
      ended.push([key, alert])
      for (const [memberKey, member] of members)
        alerts.set(memberKey, { ...member, phase: 'firing', coveredBy: null })
      continue
    }
    const finding = cause
      ? causeFinding(cause, alert.finding, members.length, alert.finding.since)
      : alert.finding
    const next = { ...alert, finding, causeOverAt, affected: members.length }
    if (!isSame(alert, next)) alerts.set(key, next)
  }
  return ended
}

/** Tells what is firing and was not told, or is to be told again. */
function tell(alerts: Map<string, OpenAlert>, rules: Rules, input: DecideInput): AlertNotification[] {
  const { now, channels } = input
  const told: AlertNotification[] = []
  for (const [key, alert] of alerts) {
    const rule = rules.get(alert.rule)
    if (alert.phase !== 'firing' || rule === undefined) continue
    const held = heldBack(alert, input)
    const to = rule.channels.filter((name) => channels.has(name))
    const isDue = isToBeTold(alert, rule, now)
    // Who was added to the rule since, or had no channel then, is told at once; the others when it is due.
    const due = isDue ? to : to.filter((name) => !alert.toldTo.includes(name))
    if (held !== null || due.length === 0) {
      if (!isSame(held, alert.heldBack)) alerts.set(key, { ...alert, heldBack: held })
      told.push(...renew(key, alert, input))
      continue
    }
    const toldTo = [...new Set([...alert.toldTo, ...due])]
    const asOf = isDue && { toldAt: now, toldDecision: alert.finding.decision }
    const next = { ...alert, toldTo, ...asOf, heldBack: null }
    alerts.set(key, next)
    for (const channel of due) told.push({ channel, key, alert: next, event: eventOf(next, 'firing', now) })
    if (!isDue) told.push(...renew(key, alert, input))
  }
  return told
}

/** Tells again, unchanged, what would be over at its receiver though it lasts. That is no news, which could be held back. */
const renew = (
  key: string,
  alert: OpenAlert,
  { now, channels, expiring }: DecideInput,
): AlertNotification[] =>
  alert.toldTo.flatMap((channel) => {
    const { at = 0, ...told } = alert.toldAs[channel] ?? {}
    if (!expiring.has(channel) || !channels.has(channel) || now - at < renewMs) return []
    const event = { ...eventOf(alert, 'firing', now), ...told }
    return [{ channel, key, alert, event }]
  })

function isToBeTold(
  { toldAt, toldDecision, finding, acknowledged }: OpenAlert,
  { when, repeat }: AlertRule,
  now: number,
): boolean {
  if (toldAt === null) return true
  if ('change' in when && toldDecision !== finding.decision) return true
  return (
    repeat !== undefined && acknowledged === null && now - toldAt >= Math.max(durationMs(repeat), graceMs)
  )
}

const isSame = (one: object | null | undefined, other: object | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Tells whoever was told of an alert that it is over. */
const tellEnds = (ended: readonly [string, OpenAlert][], input: DecideInput): AlertNotification[] =>
  ended.flatMap(([key, alert]) => {
    const finding = resolvedFinding(alert.finding, input.services, input.now)
    const event = eventOf({ ...alert, finding }, 'resolved', input.now)
    return alert.toldTo
      .filter((channel) => input.channels.has(channel))
      .map((channel) => ({ channel, key, alert, event }))
  })

const eventOf = (
  { id, rule, finding }: OpenAlert,
  status: AlertEvent['status'],
  now: number,
): AlertNotification['event'] => {
  const { type, severity, summary, subject, since, data } = finding
  return { type, at: now, alert: rule, alertId: id, status, severity, summary, subject, since, data }
}
