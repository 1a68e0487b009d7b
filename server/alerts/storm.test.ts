import { afterAll, beforeAll, expect, test } from 'bun:test'

import { openAlertsUnderTest } from '../../scripts/world/alerts-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { AlertChannel } from '../../shared/alert-channels.ts'
import { secondMs } from '../../shared/durations.ts'
import type { Decision } from '../../shared/health.ts'
import { type Receivers, startReceivers } from '../../tests/support/receivers.ts'

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

interface HookBody {
  readonly type: string
  readonly data: { readonly events?: readonly unknown[] }
}

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
    now -= 3 * 3_600_000
    await waitUntil('the second is told', () => told() === 2)
    await under.change(ids.slice(2), 'UP', 'DOWN')
    await waitUntil('the third is gathered', async () => (await under.alerts.firing.list()).length === 3)
    now += 29 * secondMs
    await waitUntil('the third is told', () => told() === 3)
  } finally {
    await under.stop()
  }
}, 60_000)

test('a thousand services that fail at once are one message at each channel, and those that follow one more within half a minute', async () => {
  const ids = Array.from({ length: 1_050 }, (_, place) => `service-${place}`)
  const { url, smtp } = receivers
  const channels: AlertChannel[] = [
    { name: 'ops', type: 'webhook', url: `${url}/hook`, secret: `whsec_${'A'.repeat(32)}` },
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
  const counts = () => [
    receivers.bodies('/hook').length,
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
    const groups = receivers.bodies<HookBody>('/hook')
    expect(groups.map(({ type, data }) => [type, data.events?.length])).toEqual([
      ['alert.group', 1_000],
      ['alert.group', 50],
    ])
  } finally {
    await under.stop()
  }
}, 60_000)
