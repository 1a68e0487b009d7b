import { isSelected } from '../../../shared/alert-services.ts'
import { durationMs } from '../../../shared/alert-times.ts'
import type { AlertCondition, AlertRule } from '../../../shared/alerts.ts'
import { secondMs } from '../../../shared/durations.ts'
import type { Decision } from '../../../shared/health.ts'
import type { AlertEvent, Severity } from '../alert-event.ts'
import type { SlowFacts, AlertableService, WatchedVerifier } from './watched.ts'

/** A subject for which a rule holds. */
export interface RuleFinding extends Pick<
  AlertEvent,
  'type' | 'severity' | 'summary' | 'subject' | 'since' | 'data'
> {
  /** Of services. */
  readonly decision: Decision | null
}

/** What rules look at. */
export interface RuleWorld {
  readonly now: number
  readonly services: ReadonlyMap<string, AlertableService>
  readonly facts: SlowFacts
}

/** How long a verifier is silent before it counts as gone (ms). */
export const silentMs = 60 * secondMs

/** Returns for how long (ms) a condition has to hold before the rule fires. */
export const ruleHoldMs = (when: AlertCondition): number => ('for' in when ? durationMs(when.for) : 0)

/** Returns whether a condition is about the decisions of services, which change by themselves. */
export const isAboutDecisions = (when: AlertCondition): boolean =>
  'decision' in when || 'change' in when || 'flapping' in when

/** Returns for what a rule holds now; of services only those that are given. */
export function findingsOf(
  rule: AlertRule,
  seen: RuleWorld,
  services: Iterable<AlertableService>,
): RuleFinding[] {
  const { when } = rule
  if (isAboutDecisions(when)) {
    const found: RuleFinding[] = []
    for (const service of services) {
      if (!isSelected(rule.services, service)) continue
      const finding = findingOfService(when, service, seen.now)
      if (finding !== null) found.push(finding)
    }
    return found
  }
  return findingsOfRest(rule, seen)
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

function findingsOfRest({ when }: AlertRule, { now, facts }: RuleWorld): RuleFinding[] {
  return 'verifier' in when
    ? facts.verifiers.flatMap((verifier) => findingOfVerifier(when.verifier, verifier, now))
    : []
}

function findingOfVerifier(wanted: readonly string[], verifier: WatchedVerifier, now: number): RuleFinding[] {
  const { name, lastSeenAt, isIsolated } = verifier
  const isGone = lastSeenAt !== null && now - lastSeenAt >= silentMs
  if (isIsolated && wanted.includes('isolated'))
    return [
      thing(
        'verifier.changed',
        'verifier',
        verifier,
        now,
        `The verifier ${name} says that it is cut off`,
        'error',
      ),
    ]
  if (isGone && wanted.includes('gone')) {
    const text = `The verifier ${name} has not reported since ${dateText(lastSeenAt)}`
    return [{ ...thing('verifier.changed', 'verifier', verifier, now, text, 'error'), since: lastSeenAt }]
  }
  return []
}

const thing = (
  type: RuleFinding['type'],
  kind: RuleFinding['subject']['kind'],
  { id, name }: { readonly id: string; readonly name: string },
  since: number,
  summary: string,
  severity: Severity = 'warning',
): RuleFinding => ({
  type,
  severity,
  decision: null,
  subject: { kind, id, name },
  summary,
  since,
  data: { id, name },
})

const dateText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
