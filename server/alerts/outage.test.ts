import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { openAlertsUnderTest } from '../../scripts/world/alerts-under-test.ts'
import { silentLog as log, temporaryDataDir } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { AlertChannel } from '../../shared/alert-channels.ts'
import { type Receivers, startReceivers } from '../../tests/support/receivers.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { type EmbeddedServer, startEmbedded } from '../platform/postgres/embedded.ts'

const dataDir = temporaryDataDir()
const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
let server: EmbeddedServer
let database: Database
let receivers: Receivers

beforeAll(async () => {
  receivers = await startReceivers()
  server = await startEmbedded({ dataDir, log, isDurable: false })
  database = await openDatabase({ url: server.url, dataDir, log, migrationsFolder })
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
  await receivers?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface PagerDutyBody {
  readonly event_action: string
  readonly dedup_key: string
}

test('a database that is away is told of once, from memory, and that it is back once it is', async () => {
  const { url } = receivers
  const channels: AlertChannel[] = [
    { name: 'on-call', type: 'pagerduty', routingKey: 'a'.repeat(32), url: `${url}/pagerduty` },
    { name: 'chat', type: 'slack', url: `${url}/slack` },
  ]
  let now = Date.now()
  const under = openAlertsUnderTest({
    database,
    channels,
    rules: [{ name: 'lost', when: { installation: ['database'], for: '1m' }, channels: ['on-call', 'chat'] }],
    decisions: new Map(),
    now: () => now,
  })
  const calls = () => receivers.bodies<PagerDutyBody>('/pagerduty')
  const deliveries = async () => (await under.alerts.deliveries.list({ limit: 10 })).deliveries.toReversed()
  receivers.answer('/slack', { status: 500 })
  under.alerts.start()
  try {
    await server.stop()
    await waitUntil('it is missed', async () => !(await database.isReachable()))
    await waitUntil(
      'it is told, and tried again where it was not taken',
      () => {
        now += 2_000
        return calls().length > 0 && receivers.bodies('/slack').length > 1
      },
      30_000,
    )
    expect(calls()).toMatchObject([
      {
        event_action: 'trigger',
        payload: { summary: expect.stringContaining('The database does not answer') },
      },
    ])
    receivers.answer('/slack', { status: 200, text: 'ok' })
    server = await startEmbedded({ dataDir, log, isDurable: false })
    await waitUntil('the database is back', () => database.isReachable(), 20_000)
    await waitUntil(
      'each channel is told that it is back',
      async () => {
        now += 2_000
        const all = await deliveries()
        return all.length === 4 && all.every(({ state }) => state === 'sent')
      },
      30_000,
    )
    const [trigger, resolve, ...more] = calls()
    expect(more).toEqual([])
    expect(resolve).toMatchObject({ event_action: 'resolve', dedup_key: trigger?.dedup_key })
    const [toldOnCall, toldInChat] = await deliveries()
    expect(toldOnCall).toMatchObject({ channel: 'on-call', attempts: 1, id: trigger?.dedup_key })
    expect(toldInChat).toMatchObject({ channel: 'chat', answer: '200 ok' })
    const texts = receivers.bodies<{ text: string }>('/slack').map(({ text }) => text.split(':')[0])
    expect(texts.slice(-2)).toEqual(['Firing', 'Resolved'])
  } finally {
    await under.stop()
  }
}, 60_000)
