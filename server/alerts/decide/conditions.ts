import { isSelected } from '../../../shared/alert-services.ts'
import { durationMs } from '../../../shared/alert-times.ts'
import type { AlertCondition, AlertRule } from '../../../shared/alerts.ts'
import { dayMs } from '../../../shared/durations.ts'
import type { Decision } from '../../../shared/health.ts'
import type { Severity } from '../alert-event.ts'
import { dateText, findingsOfOthers } from './other-conditions.ts'
import type { RuleFinding, RuleWorld } from './rule-finding.ts'
import type { AlertableService } from './watched.ts'

/** Returns for how long (ms) a condition has to hold before the rule fires. */
export const ruleHoldMs = (when: AlertCondition): number => ('for' in when ? durationMs(when.for) : 0)

/** Returns whether a condition is about the decisions of services, which change by themselves. */
export const isAboutDecisions = (when: AlertCondition): boolean =>
  'decision' in when || 'change' in when || 'flapping' in when

/** Returns for how long (ms) changes of decisions count in one of these rules, and a day at least: rules are added later. */
export const countedMs = (rules: readonly AlertRule[]): number =>
  Math.max(dayMs, ...rules.map(({ when }) => ('flapping' in when ? durationMs(when.flapping.within) : 0)))

/** Returns for what a rule holds now; of services only those that are given. */
export function findingsOf(
  rule: AlertRule,
  seen: RuleWorld,
  services: Iterable<AlertableService>,
): RuleFinding[] {
  const { when } = rule
  if (isAboutDecisions(when)) {
    const found: RuleFinding[] = []
    for (const service of selected(rule, services)) {
      const finding = findingOfService(when, service, seen.now)
      if (finding !== null) found.push(finding)
    }
    return found
  }
  return 'certificate' in when
    ? findingsOfCertificates(durationMs(when.certificate.within), seen.now, selected(rule, services))
    : findingsOfOthers(when, seen)
}

function* selected(rule: AlertRule, services: Iterable<AlertableService>): Generator<AlertableService> {
  for (const service of services) if (isSelected(rule.services, service)) yield service
}

/** Returns what a rule about decisions says of one service. */
function findingOfService(when: AlertCondition, service: AlertableService, now: number): RuleFinding | null {
  if ('decision' in when) return when.decision.includes(service.decision) ? decisionFinding(service) : null
  if ('change' in when) return service.decision === 'UP' ? null : decisionFinding(service)
  if (!('flapping' in when)) return null
  const { changes, within } = when.flapping
  const count = service.changes.filter((at) => at > now - durationMs(within)).length
  if (count < changes) return null
  return {
    ...decisionFinding(service),
    type: 'service.flapping',
    severity: 'warning',
    summary: `${titleOf(service)} is flapping: its decision changed ${count} times within ${within}`,
    data: { ...dataOf(service), changes: count },
  }
}

const severities: Readonly<Record<Decision, Severity>> = {
  DOWN: 'critical',
  UNKNOWN: 'error',
  LATENCY: 'warning',
  UP: 'info',
}

const titleOf = ({ name, chain }: AlertableService): string => (chain === null ? name : `${name} (${chain})`)

/** What programs read of a service and its decision. */
export const dataOf = ({ id, name, chain, provider, previous, decision, reason }: AlertableService) => ({
  serviceId: id,
  name,
  chain,
  provider,
  from: previous,
  to: decision,
  reason,
})

const decisionFinding = (service: AlertableService): RuleFinding => ({
  type: 'service.decision_changed',
  severity: severities[service.decision],
  decision: service.decision,
  subject: { kind: 'service', id: service.id, name: service.name },
  summary: `${titleOf(service)} is ${service.decision}${service.reason === '' ? '' : `: ${service.reason}`}`,
  since: service.since,
  data: dataOf(service),
})

/** Returns the services whose certificates end within this time (ms). */
function findingsOfCertificates(
  withinMs: number,
  now: number,
  services: Iterable<AlertableService>,
): RuleFinding[] {
  const found: RuleFinding[] = []
  for (const service of services) {
    const { certificateEndsAt: endsAt } = service
    if (endsAt === null || endsAt - now > withinMs) continue
    const what = endsAt <= now ? 'ended' : 'ends'
    found.push({
      ...decisionFinding(service),
      type: 'service.certificate',
      severity: endsAt - now < 2 * dayMs ? 'critical' : 'warning',
      decision: null,
      summary: `The certificate of ${titleOf(service)} ${what} at ${dateText(endsAt)}`,
      since: now,
      data: { ...dataOf(service), endsAt: new Date(endsAt).toISOString() },
    })
  }
  return found
}
