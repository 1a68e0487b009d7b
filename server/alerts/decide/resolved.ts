import { dayMs, hourMs, minuteMs, secondMs } from '../../../shared/durations.ts'
import { dataOf } from './conditions.ts'
import type { RuleFinding } from './rule-finding.ts'
import type { AlertableService } from './watched.ts'

/** Returns what is told of a finding that is over: what is so now, and for how long it was not. */
export function resolvedFinding(
  finding: RuleFinding,
  services: ReadonlyMap<string, AlertableService>,
  now: number,
): RuleFinding {
  const { subject, decision, since } = finding
  if (finding.type === 'account.changed') return finding // it happened, and was told of for a day
  const lasted = elapsedText(now - since)
  const service = subject.kind === 'service' ? services.get(subject.id) : undefined
  if (service === undefined) return { ...finding, summary: `${finding.summary} (it was so for ${lasted})` }
  const where = service.chain === null ? service.name : `${service.name} (${service.chain})`
  if (finding.type === 'service.decision_changed' && service.decision === decision)
    return { ...finding, summary: `${where} is still ${decision}, and no rule is about it any more` }
  const data = { ...finding.data, ...dataOf(service), ...(decision !== null && { from: decision }) }
  const summary =
    finding.type === 'service.decision_changed'
      ? `${where} is ${service.decision} after ${lasted} of ${decision}`
      : `${finding.summary} (it was so for ${lasted})`
  return {
    ...finding,
    data,
    summary,
    since: finding.type === 'service.decision_changed' ? service.since : since,
  }
}

/** Returns a length of time for people, in its largest unit. */
export function elapsedText(ms: number): string {
  const units = [
    [dayMs, 'd'],
    [hourMs, 'h'],
    [minuteMs, 'min'],
  ] as const
  const [unitMs, unit] = units.find(([size]) => ms >= 2 * size) ?? [secondMs, 's']
  return `${Math.max(1, Math.round(ms / unitMs))} ${unit}`
}
