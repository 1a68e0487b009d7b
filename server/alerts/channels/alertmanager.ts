import type { AlertChannel } from '../../../shared/alert-channels.ts'
import { dayMs } from '../../../shared/durations.ts'
import { type AlertEvent, lastOfEach } from '../alert-event.ts'
import { type HttpChannel, isSuccess, json } from './channel.ts'

type Alertmanager = Extract<AlertChannel, { type: 'alertmanager' }>

/** Prometheus' Alertmanager, API v2, which leads to every receiver that it has. */
export const alertmanagerChannel: HttpChannel<Alertmanager> = {
  requests({ url, user, password }, { events }, { origin, now }) {
    const authorization = user !== undefined && {
      authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`,
    }
    return [
      {
        url: `${url.replace(/\/+$/, '')}/api/v2/alerts`,
        headers: { ...json, ...authorization },
        body: JSON.stringify(lastOfEach(events).map((event) => alertOf(event, origin, now))),
      },
    ]
  },
  isTaken: isSuccess,
}

/** Alertmanager tells alerts apart by their labels, so that these are the same from the first message to the last. */
function alertOf(
  { alert, alertId, severity, summary, subject, since, status, at, data }: AlertEvent,
  origin: string,
  now: number,
) {
  const labels = {
    alertname: alert,
    [subject.kind]: subject.name,
    subject_id: subject.id,
    severity,
    ...(typeof data['chain'] === 'string' && { chain: data['chain'] }),
    ...(typeof data['provider'] === 'string' && { provider: data['provider'] }),
  }
  return {
    labels,
    annotations: { summary, gatehouse_alert: alertId },
    startsAt: new Date(since).toISOString(),
    // Without an end it would be taken for resolved after five minutes.
    endsAt: new Date(status === 'resolved' ? Math.max(at, since) : now + dayMs).toISOString(),
    generatorURL: origin,
  }
}
