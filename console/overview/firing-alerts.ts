import type { AlertView } from '../../shared/alerts.ts'
import { subjectPlace } from '../alerts/alert-words.ts'
import type { Concern } from './attention.ts'

/** More than this at once nobody reads here: then one sentence stands for the rest. */
const shownAlerts = 20

const isQuiet = (alert: AlertView): boolean => alert.acknowledged !== null || alert.heldBack !== null

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
