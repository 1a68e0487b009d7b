import { afterAll, beforeAll, expect, test } from 'bun:test'

import { openAlertsUnderTest } from '../../scripts/world/alerts-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { AlertChannel } from '../../shared/alert-channels.ts'
import { hourMs, minuteMs, secondMs } from '../../shared/durations.ts'
import type { Decision } from '../../shared/health.ts'
import { type ReceivedMessage, type Receivers, startReceivers } from '../../tests/support/receivers.ts'

let world: TestDatabase
let receivers: Receivers

beforeAll(async () => {
  world = await testDatabase()
  receivers = await startReceivers()
})
afterAll(async () => {
  await receivers?.stop()
  await world?.drop()
})

const secret = `whsec_${'A'.repeat(32)}`

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 16)

interface HookBody {
  readonly type: string
  readonly data: { readonly events?: readonly unknown[] }
}

/** The delivery that a webhook is of; a long one is sent in several parts. */
const deliveryOf = ({ headers }: ReceivedMessage): string =>
  String(headers['webhook-id']).split('_').slice(0, 2).join('_')

const eventsOf = ({ text }: ReceivedMessage): readonly unknown[] =>
  (JSON.parse(text) as HookBody).data.events ?? []

test('an alert says whether its rule names a channel', async () => {
  const when = { decision: ['DOWN' as const] }
  const under = openAlertsUnderTest({
    database: world.database,
    channels: [{ name: 'front', type: 'slack', url: `${receivers.url}/front` }],
    rules: [
      { name: 'told', when, channels: ['front'] },
      { name: 'untold', when },
    ],
    decisions: new Map([['one', 'UP' as Decision]]),
  })
  const ofOne = async () =>
    (await under.alerts.firing.list())
      .filter(({ subject }) => subject.id === 'one')
      .map(({ rule, hasChannel }) => ({ rule, hasChannel }))
  under.alerts.start()
  try {
    await under.change(['one'], 'UP', 'DOWN')
    await waitUntil('both are firing', async () => (await ofOne()).length === 2)
    expect(new Map((await ofOne()).map(({ rule, hasChannel }) => [rule, hasChannel]))).toEqual(
      new Map([
        ['told', true],
        ['untold', false],
      ]),
    )
  } finally {
    await under.stop()
  }
}, 60_000)

test('a clock that is set back by hours holds back nothing that was gathered, and nothing that follows', async () => {
  const channels: AlertChannel[] = [{ name: 'back', type: 'slack', url: `${receivers.url}/back` }]
  let now = Date.now()
  const ids = ['set-back-1', 'set-back-2', 'set-back-3']
  const under = openAlertsUnderTest({
    database: world.database,
    channels,
    rules: [{ name: 'set back', when: { decision: ['DOWN'] }, channels: ['back'] }],
    decisions: new Map(ids.map((id) => [id, 'UP' as Decision])),
    now: () => now,
  })
  const told = () => receivers.bodies('/back').length
  under.alerts.start()
  try {
    await under.change(ids.slice(0, 1), 'UP', 'DOWN')
    await waitUntil('the first is told', () => told() === 1)
    await under.change(ids.slice(1, 2), 'UP', 'DOWN')
    await waitUntil('the second is gathered', async () => (await under.alerts.firing.list()).length === 2)
    now -= 3 * hourMs
    await waitUntil('the second is told', () => told() === 2)
    await under.change(ids.slice(2), 'UP', 'DOWN')
    await waitUntil('the third is gathered', async () => (await under.alerts.firing.list()).length === 3)
    now += 29 * secondMs
    await waitUntil('the third is told', () => told() === 3)
  } finally {
    await under.stop()
  }
}, 60_000)

test('what happens in quiet hours is one message at their end', async () => {
  let now = Date.now()
  const endsAt = Math.floor(now / minuteMs) * minuteMs + 2 * hourMs
  const quietHours = { from: timeOf(endsAt - 3 * hourMs), to: timeOf(endsAt), zone: 'UTC' }
  const channels: AlertChannel[] = [
    { name: 'night', type: 'webhook', url: `${receivers.url}/night`, secret, quietHours },
    { name: 'loud', type: 'webhook', url: `${receivers.url}/loud`, secret },
  ]
  const ids = ['quiet-1', 'quiet-2', 'quiet-3']
  const under = openAlertsUnderTest({
    database: world.database,
    channels,
    rules: [{ name: 'by night', when: { decision: ['DOWN'] }, channels: ['night', 'loud'] }],
    decisions: new Map(ids.map((id) => [id, 'UP' as Decision])),
    now: () => now,
  })
  const told = (path: string) => receivers.bodies<HookBody>(path)
  under.alerts.start()
  try {
    await under.change(ids.slice(0, 1), 'UP', 'DOWN')
    await waitUntil('the loud channel is told', () => told('/loud').length === 1)
    now += hourMs
    await under.change(ids.slice(1, 2), 'UP', 'DOWN')
    await waitUntil('the loud channel is told again', () => told('/loud').length === 2)
    now = endsAt - secondMs
    await under.change(ids.slice(2), 'UP', 'DOWN')
    await waitUntil('the loud channel is told of the last', () => told('/loud').length === 3)
    expect(told('/night')).toEqual([])
    now = endsAt
    await waitUntil('the quiet channel is told', () => told('/night').length === 1)
    expect(told('/night').map(({ type, data }) => [type, data.events?.length])).toEqual([['alert.group', 3]])
  } finally {
    await under.stop()
  }
}, 60_000)

test('a thousand services that fail at once are one message at each channel, and those that follow one more within half a minute', async () => {
  const ids = Array.from({ length: 1_050 }, (_, place) => `service-${place}`)
  const { url, smtp } = receivers
  const channels: AlertChannel[] = [
    { name: 'ops', type: 'webhook', url: `${url}/hook`, secret },
    { name: 'chat', type: 'slack', url: `${url}/slack` },
    { name: 'mail', type: 'email', smtp, from: 'gate@example.com', to: ['ops@example.com'] },
  ]
  let now = Date.now()
  const under = openAlertsUnderTest({
    database: world.database,
    channels,
    rules: [{ name: 'down', when: { decision: ['DOWN'] }, channels: channels.map(({ name }) => name) }],
    decisions: new Map(ids.map((id) => [id, 'UP' as Decision])),
    now: () => now,
  })
  const hooks = () => receivers.messages.filter(({ path }) => path === '/hook')
  const counts = () => [
    Map.groupBy(hooks(), deliveryOf).size,
    receivers.bodies('/slack').length,
    receivers.mails.length,
  ]
  under.alerts.start()
  try {
    await under.change(ids.slice(0, 1_000), 'UP', 'DOWN')
    await waitUntil('each channel is told', () => counts().every((count) => count > 0))
    await under.change(ids.slice(1_000), 'UP', 'DOWN')
    await waitUntil('all are firing', async () => (await under.alerts.firing.list()).length === ids.length)
    expect(counts()).toEqual([1, 1, 1])
    now += 29 * secondMs
    await waitUntil('each channel is told of those that followed', () => counts().every((count) => count > 1))
    now += 60 * secondMs
    await under.stop()
    expect(counts()).toEqual([2, 2, 2])
    const groups = [...Map.groupBy(hooks(), deliveryOf).values()]
    expect(groups.map((parts) => parts.flatMap(eventsOf).length)).toEqual([1_000, 50])
  } finally {
    await under.stop()
  }
}, 60_000)
