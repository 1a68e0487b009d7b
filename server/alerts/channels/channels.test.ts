import { expect, test } from 'bun:test'

import { Webhook } from 'standardwebhooks'

import { type Notice, noticeTitle } from '../alert-event.ts'
import { anEvent } from '../test-support/events.ts'
import { alertmanagerChannel } from './alertmanager.ts'
import { mailOfNotice } from './email.ts'
import { pagerDutyChannel } from './pagerduty.ts'
import { slackChannel } from './slack.ts'
import { telegramChannel } from './telegram.ts'
import { webhookChannel } from './webhook.ts'

/** What the makers publish of their payloads: names of fields, sizes, and what an answer means. */

const now = Date.UTC(2026, 0, 1, 12, 0, 1)
const writing = { now, origin: 'https://gate.example' }
const one: Notice = { id: 'msg_1', events: [anEvent()], createdAt: now }
const many = (count: number): Notice => ({
  id: 'msg_2',
  createdAt: now,
  events: Array.from({ length: count }, (_, place) =>
    anEvent({ alertId: `alert_${place}`, summary: `Node ${place} is DOWN` }),
  ),
})
const bodyOf = (requests: readonly { readonly body: string }[]) => JSON.parse(requests[0]?.body ?? '')

test('a webhook has the documented body, and a signature that the reference library accepts', () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const spec = { name: 'ops', type: 'webhook', url: 'https://example.com/hook', secret } as const
  const signedNow = { ...writing, now: Date.now() }
  const [request] = webhookChannel.requests(spec, one, signedNow)
  expect(new Webhook(secret).verify(request?.body ?? '', { ...request?.headers })).toEqual({
    type: 'service.decision_changed',
    timestamp: '2026-01-01T12:00:00.000Z',
    data: {
      serviceId: 'node-a',
      name: 'Node A',
      chain: 'ethereum',
      provider: 'Acme',
      from: 'UP',
      to: 'DOWN',
      reason: 'no connection',
      since: '2026-01-01T11:59:00.000Z',
      alert: 'node down',
      status: 'firing',
    },
  })
  expect(request?.headers['webhook-id']).toBe('msg_1')
  expect(bodyOf(webhookChannel.requests(spec, many(3), signedNow))).toMatchObject({
    type: 'alert.group',
    data: { events: [{ type: 'service.decision_changed' }, {}, {}] },
  })
})

test('a webhook of many events is sent in parts that a receiver takes, each under an id of its own', () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const spec = { name: 'ops', type: 'webhook', url: 'https://example.com/hook', secret } as const
  const notice = {
    ...many(0),
    events: many(1_000).events.map((event) => ({ ...event, alert: 'ö'.repeat(90) })),
  }
  const signedNow = { ...writing, now: Date.now() }
  const parts = webhookChannel.requests(spec, notice, signedNow)
  expect(Math.max(...parts.map(({ body }) => Buffer.byteLength(body)))).toBeLessThan(65_000)
  expect(parts.length).toBeLessThan(10)
  const bodies = parts.map(({ body, headers }) => new Webhook(secret).verify(body, { ...headers }))
  expect(bodies.flatMap((body) => (body as { data: { events: unknown[] } }).data.events)).toHaveLength(1_000)
  const ids = parts.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual(['msg_2', ...ids.slice(1).map((_, place) => `msg_2_${place + 2}`)])
})

const slack = { name: 'chat', type: 'slack', url: 'https://hooks.slack.com/services/T/B/x' } as const

test('a message of Slack mentions nobody, whatever a service is called, and stays within its size', () => {
  const spiteful = {
    ...one,
    events: [anEvent({ summary: '<!channel> <https://evil.example|click> & so on' })],
  }
  const text = JSON.stringify(bodyOf(slackChannel.requests(slack, spiteful, writing)))
  expect(text).not.toContain('<!channel>')
  expect(text).toContain('&lt;!channel&gt;')
  const body = bodyOf(slackChannel.requests(slack, many(1_000), writing))
  expect(body.text).toBe('1000 alerts: 1000 firing')
  expect(body.attachments[0].text.length).toBeLessThanOrEqual(3_000)
  expect(body.attachments[0].text).toContain('and 980 more')
})

test.each([
  ['ok', 200, true],
  ['invalid_payload', 200, false],
  ['no_service', 404, false],
  ['{"ok":false,"error":"x"}', 200, false],
  ['', 204, true], // Discord
])('Slack’s answer %p (%p) is taken: %p', (text, status, isTaken) => {
  expect(slackChannel.isTaken({ status, text })).toBe(isTaken)
})

test('Telegram gets plain text within its size, and an answer that is not ok is none', () => {
  const spec = {
    name: 't',
    type: 'telegram',
    url: 'https://api.telegram.org',
    token: '1:x',
    chat: '@ops',
  } as const
  const [request] = telegramChannel.requests(spec, many(1_000), writing)
  expect(request?.url).toBe('https://api.telegram.org/bot1:x/sendMessage')
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    chat_id: '@ops',
    text: expect.stringContaining('1000 alerts'),
  })
  expect(JSON.parse(request?.body ?? '').text.length).toBeLessThanOrEqual(4_096)
  expect(telegramChannel.isTaken({ status: 200, text: '{"ok":false}' })).toBe(false)
  expect(telegramChannel.isTaken({ status: 200, text: '{"ok":true,"result":{}}' })).toBe(true)
})

test('a message of Slack mentions nobody in Mattermost and Discord either, and hides no link there', () => {
  const summary = '@everyone @Here [click](https://evil.example) ops@example.com'
  const text = String(
    bodyOf(slackChannel.requests(slack, { ...one, events: [anEvent({ summary })] }, writing)).text,
  )
  expect(text).not.toMatch(/@(?:everyone|here)/i)
  expect(text).not.toContain('](')
  expect(text).toContain('ops@example.com')
})

test('a title and a colour say what holds at the end, not what fired and was resolved while the message waited', () => {
  const [first, again] = [anEvent({ alertId: 'alert_1' }), anEvent({ alertId: 'alert_2' })]
  const over = (event: typeof first) => ({ ...event, status: 'resolved' as const })
  const restless = { ...one, events: [over(first), again, over(again)] }
  const body = bodyOf(slackChannel.requests(slack, restless, writing))
  expect(body.text).toBe('2 alerts: 2 resolved')
  expect(body.attachments[0].color).toBe('#15803d')
  expect(body.attachments[0].text.split('\n')).toHaveLength(3)
  expect(noticeTitle([again, over(again)])).toStartWith('Resolved: ')
  expect(noticeTitle([over(first), again])).toBe('2 alerts: 1 firing, 1 resolved')
})

const pagerDuty = {
  name: 'p',
  type: 'pagerduty',
  routingKey: 'r'.repeat(32),
  url: 'https://events.pagerduty.com/v2/enqueue',
} as const

const end = (endsIncident: boolean): Notice => ({
  id: 'msg_3',
  createdAt: now,
  events: [anEvent({ status: 'resolved', incident: 'msg_2', endsIncident })],
})

test('PagerDuty gets one incident for what is told together, and its end when nothing of it fires any more', () => {
  const [trigger, ...others] = pagerDutyChannel.requests(pagerDuty, many(40), writing)
  expect(others).toEqual([])
  expect(JSON.parse(trigger?.body ?? '')).toMatchObject({
    routing_key: pagerDuty.routingKey,
    event_action: 'trigger',
    dedup_key: 'msg_2',
    payload: { summary: '40 alerts: 40 firing', source: 'https://gate.example', severity: 'critical' },
  })
  expect(pagerDutyChannel.requests(pagerDuty, end(false), writing)).toEqual([])
  expect(bodyOf(pagerDutyChannel.requests(pagerDuty, end(true), writing))).toMatchObject({
    event_action: 'resolve',
    dedup_key: 'msg_2',
  })
})

test('PagerDuty hears nothing of what was over before it was told', () => {
  const events = [anEvent(), anEvent({ status: 'resolved' })]
  expect(pagerDutyChannel.requests(pagerDuty, { ...one, events }, writing)).toEqual([])
})

test('Alertmanager gets the same labels at the beginning and at the end', () => {
  const spec = { name: 'a', type: 'alertmanager', url: 'http://am:9093/', user: 'u', password: 'p' } as const
  const [request] = alertmanagerChannel.requests(spec, one, writing)
  const [firing] = JSON.parse(request?.body ?? '')
  const over = { ...one, events: [anEvent({ status: 'resolved', summary: 'It is UP', at: now })] }
  const [resolved] = bodyOf(alertmanagerChannel.requests(spec, over, writing))
  expect(request?.url).toBe('http://am:9093/api/v2/alerts')
  expect(request?.headers['authorization']).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`)
  expect(firing.labels).toMatchObject({
    alertname: 'node down',
    service: 'Node A',
    chain: 'ethereum',
    severity: 'critical',
  })
  expect(resolved.labels).toEqual(firing.labels)
  expect(Date.parse(firing.endsAt)).toBeGreaterThan(now)
  expect(Date.parse(resolved.endsAt)).toBe(now)
})

test('Alertmanager is told the end of what it was told, and of labels that are told no more', () => {
  const spec = { name: 'a', type: 'alertmanager', url: 'http://am:9093' } as const
  const { subject, data } = anEvent()
  const toldAs = { severity: 'warning', subject: { ...subject, name: 'Old' }, data } as const
  const told = (...events: Notice['events'][number][]) =>
    bodyOf(alertmanagerChannel.requests(spec, { ...one, events }, writing)).map(
      ({ labels, endsAt }: { labels: Record<string, string>; endsAt: string }) =>
        `${Date.parse(endsAt) > now ? 'firing' : 'resolved'} ${labels['service']} ${labels['severity']}`,
    )
  const over = anEvent({ status: 'resolved', toldAs })
  expect(told(over)).toEqual(['resolved Old warning'])
  expect(told(anEvent({ toldAs }))).toEqual(['resolved Old warning', 'firing Node A critical'])
  expect(told(anEvent({ toldAs }), { ...over, toldAs: { subject, data, severity: 'critical' } })).toEqual([
    'resolved Old warning',
  ])
  expect(told(anEvent({ toldAs: { subject, data, severity: 'critical' } }))).toEqual([
    'firing Node A critical',
  ])
})

test('a mail has the same Message-ID at each attempt', () => {
  const first = mailOfNotice(one, writing)
  expect(first.subject).toBe('Firing: Node A (ethereum) is DOWN: no connection')
  expect(mailOfNotice(one, { ...writing, now: now + 60_000 }).messageId).toBe(first.messageId)
})
