import type { AlertChannel } from '../../../shared/alert-channels.ts'
import { type AlertEvent, eventLine, lastOfEach, noticeTitle, worstOf } from '../alert-event.ts'
import { type ChannelRequest, type HttpChannel, isSuccess, json, shortened } from './channel.ts'

type PagerDuty = Extract<AlertChannel, { type: 'pagerduty' }>

/** PagerDuty's own bounds, and as many lines as a person reads. */
const mostSummaryChars = 1_024
const mostLines = 50

/**
 * PagerDuty's Events API v2. What one delivery tells for the first time is one incident, under the delivery's id; it is
 * resolved when nothing of it is firing any more.
 */
export const pagerDutyChannel: HttpChannel<PagerDuty> = {
  requests({ url, routingKey }, { id, events }, { origin }) {
    const incidents = Map.groupBy(lastOfEach(events), ({ incident }) => incident ?? id)
    return [...incidents].flatMap(([key, told]): ChannelRequest[] => {
      const event = eventOf(told, key === id ? noticeTitle(told) : null, origin)
      if (event === null) return []
      const body = {
        routing_key: routingKey,
        dedup_key: key,
        client: 'Gatehouse',
        client_url: origin,
        ...event,
      }
      return [{ url, headers: json, body: JSON.stringify(body) }]
    })
  },
  isTaken: (answer) => isSuccess(answer) && !/"status"\s*:\s*"invalid/.test(answer.text),
}

function eventOf(told: readonly AlertEvent[], title: string | null, origin: string) {
  const firing = told.filter(({ status }) => status === 'firing')
  const [first] = firing
  if (first === undefined) {
    // What was both told and resolved while it waited is over before anybody was called.
    return told.some(({ endsIncident, incident }) => endsIncident && incident !== null)
      ? { event_action: 'resolve' }
      : null
  }
  return {
    event_action: 'trigger',
    payload: {
      summary: shortened(
        firing.length === 1 ? first.summary : (title ?? noticeTitle(firing)),
        mostSummaryChars,
      ),
      source: firing.length === 1 ? first.subject.name : origin,
      severity: worstOf(firing),
      timestamp: new Date(first.at).toISOString(),
      component: first.subject.id,
      group: first.alert,
      class: first.type,
      custom_details:
        firing.length === 1
          ? first.data
          : { alerts: firing.slice(0, mostLines).map(eventLine), count: firing.length },
    },
  }
}
