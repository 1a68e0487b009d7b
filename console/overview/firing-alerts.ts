import type { AlertView } from '../../shared/alerts.ts'
import type { Decision } from '../../shared/health.ts'
import { subjectPlace } from '../alerts/alert-words.ts'
import type { Concern } from './attention.ts'

type Counts = Readonly<Record<Decision, number>>

/** More than this at once nobody reads here: then one sentence stands for the rest. */
const shownAlerts = 20

const isQuiet = (alert: AlertView): boolean => alert.acknowledged !== null || alert.heldBack !== null

/**
 * The numbers of services without those decisions of which alerts tell already, of each service by name or of all by their
 * cause: what stands above as alerts is not counted below once more.
 */
export function countsBesideAlerts(counts: Counts, firing: readonly AlertView[]): Counts {
  const isTold = (decision: Decision): boolean => {
    const ofDecision = firing.filter((alert) => alert.decision === decision)
    const named = new Set(
      ofDecision.flatMap(({ subject }) => (subject.kind === 'service' ? [subject.id] : [])),
    )
    const covered = ofDecision.flatMap(({ subject, affected }) =>
      subject.kind === 'service' ? [] : [affected],
    )
    return named.size + Math.max(0, ...covered) >= counts[decision]
  }
  const shown = (decision: Decision): number => (isTold(decision) ? 0 : counts[decision])
  return { UP: counts.UP, DOWN: shown('DOWN'), LATENCY: shown('LATENCY'), UNKNOWN: shown('UNKNOWN') }
}

/** The ids of what alerts of a type tell of already. */
export const alertedIds = (firing: readonly AlertView[] | undefined, type: string): ReadonlySet<string> =>
  new Set(firing?.flatMap((alert) => (alert.type === type ? [alert.subject.id] : [])))

/** Every alert that is firing, with the way to what it is about; what somebody takes care of, or holds back, is quieter. */
export function alertConcerns(firing: readonly AlertView[]): readonly Concern[] {
  const sorted = firing.toSorted((one, other) => Number(isQuiet(one)) - Number(isQuiet(other)))
  const shown = sorted.slice(0, shownAlerts).map((alert): Concern => {
    const { name, ...place } = subjectPlace(alert.subject)
    const tone = alert.decision === 'DOWN' ? 'bad' : 'warn'
    const note = alert.acknowledged === null ? alert.heldBack && 'held back' : 'acknowledged'
    return {
      id: `alert-${alert.id}`,
      tone: isQuiet(alert) ? 'info' : tone,
      text: `${alert.rule}: ${alert.summary}${note === null ? '' : ` (${note})`}`,
      page: name,
      query: {},
      ...place,
    }
  })
  const left = sorted.length - shown.length
  if (left === 0) return shown
  const text = `${left} more ${left === 1 ? 'alert is' : 'alerts are'} firing`
  return [...shown, { id: 'alerts', tone: 'warn', text, page: 'alerts', query: {} }]
}
