import { createHmac } from 'node:crypto'

import type { AlertChannel } from '../../../shared/alert-channels.ts'
import type { AlertEvent } from '../alert-event.ts'
import { type HttpChannel, isSuccess, json } from './channel.ts'

type Webhook = Extract<AlertChannel, { type: 'webhook' }>

/** Servers commonly take bodies of 100 kB at most. What surrounds the events is far less than the difference. */
const mostEventBytes = 64_000

/** Programs of anybody: signed by the Standard Webhooks specification (standardwebhooks.com), version 1. */
export const webhookChannel: HttpChannel<Webhook> = {
  requests({ url, secret }, { id, events, createdAt }, { now }) {
    return [...partsOf(events)].map((part, place) => {
      const body = JSON.stringify(bodyOf(part, createdAt))
      const partId = place === 0 ? id : `${id}_${place + 1}`
      return { url, headers: { ...json, ...webhookSignature({ id: partId, body, secret, now }) }, body }
    })
  },
  isTaken: isSuccess,
}

interface Signed {
  readonly id: string
  readonly body: string
  /** `whsec_` and Base64. */
  readonly secret: string
  /** Epoch ms of the attempt: receivers refuse what is more than five minutes old. */
  readonly now: number
}

/** Returns the headers that name and sign a webhook. */
export function webhookSignature({ id, body, secret, now }: Signed) {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** Divides events into parts that receivers take, the same at each attempt. */
function* partsOf(events: readonly AlertEvent[]): Generator<AlertEvent[]> {
  let part: AlertEvent[] = []
  let partBytes = 0
  for (const event of events) {
    const bytes = Buffer.byteLength(JSON.stringify(bodyOfEvent(event))) + 1
    if (part.length > 0 && partBytes + bytes > mostEventBytes) {
      yield part
      part = []
      partBytes = 0
    }
    part.push(event)
    partBytes += bytes
  }
  yield part
}

/** The same at each attempt, because receivers go by the id. */
function bodyOf(events: readonly AlertEvent[], createdAt: number) {
  const [only] = events
  if (only !== undefined && events.length === 1) return bodyOfEvent(only)
  const timestamp = new Date(createdAt).toISOString()
  return { type: 'alert.group', timestamp, data: { events: events.map(bodyOfEvent) } }
}

const bodyOfEvent = ({ type, at, alert, status, since, data }: AlertEvent) => ({
  type,
  timestamp: new Date(at).toISOString(),
  data: { ...data, since: new Date(since).toISOString(), alert, status },
})
