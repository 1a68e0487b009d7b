import type { AlertChannel } from '../../../shared/alert-channels.ts'
import { dayMs } from '../../../shared/durations.ts'
import type { AlertEvent } from '../alert-event.ts'
import { type HttpChannel, isSuccess, json } from './channel.ts'

type Alertmanager = Extract<AlertChannel, { type: 'alertmanager' }>

/**
 * Without an end Alertmanager would take an alert for resolved after five minutes. It is told again each day (`renew` in
 * `decide/decide.ts`), which quiet hours and failed attempts may delay by a day each.
 */
const lastsMs = 3 * dayMs

/** Prometheus' Alertmanager, API v2, which leads to every receiver that it has. */
export const alertmanagerChannel: HttpChannel<Alertmanager> = {
  requests({ url, user, password }, { events }, { origin, now }) {
    const authorization = user !== undefined && {
      authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`,
    }
    const told = Map.groupBy(events, ({ alertId }) => alertId).values()
    return [
      {
        url: `${url.replace(/\/+$/, '')}/api/v2/alerts`,
        headers: { ...json, ...authorization },
        body: JSON.stringify([...told].flatMap(knownByLabels).map((event) => alertOf(event, origin, now))),
      },
    ]
  },
  isTaken: isSuccess,
}

/**
 * Alertmanager tells alerts apart by their labels. So the end has those that were told last; where others are told, such as
 * a worse severity, by which it routes, the alert with the labels of before is over, as when Prometheus changes them.
 */
function knownByLabels(told: readonly AlertEvent[]): AlertEvent[] {
  const [{ toldAs: before = null } = {}, last] = [told[0], told.at(-1)]
  if (last === undefined) return []
  if (before === null) return [last]
  const known: AlertEvent = { ...last, ...before, status: 'resolved' }
  if (last.status === 'resolved') return [known]
  return JSON.stringify(labelsOf(known)) === JSON.stringify(labelsOf(last)) ? [last] : [known, last]
}

const labelsOf = ({ alert, severity, subject, data }: AlertEvent) => ({
  alertname: alert,
  [subject.kind]: subject.name,
  subject_id: subject.id,
  severity,
  ...(typeof data['chain'] === 'string' && { chain: data['chain'] }),
  ...(typeof data['provider'] === 'string' && { provider: data['provider'] }),
})

function alertOf(event: AlertEvent, origin: string, now: number) {
  const { alertId, summary, since, status, at } = event
  return {
    labels: labelsOf(event),
    annotations: { summary, gatehouse_alert: alertId },
    startsAt: new Date(since).toISOString(),
    endsAt: new Date(status === 'resolved' ? Math.max(at, since) : now + lastsMs).toISOString(),
    generatorURL: origin,
  }
}
