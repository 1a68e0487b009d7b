import { rmSync } from 'node:fs'

import { createOutboxStore } from '../../../server/alerts/outbox/outbox-store.ts'
import { type Database, openDatabase } from '../../../server/platform/database.ts'
import type { Decision } from '../../../shared/health.ts'
import { openAlertsUnderTest } from '../../world/alerts-under-test.ts'
import { silentLog as log, temporaryDataDir } from '../../world/database.ts'
import { waitUntil } from '../../world/wait-until.ts'
import { atLeast, atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'
import { percentile } from '../statistics.ts'

const migrationsFolder = new URL('../../../server/migrations', import.meta.url).pathname
const serviceCount = 10_000
/** Each is told of one event a round: a second one within half a minute would be gathered. */
const channelsOfRound = 200
const betweenEventsMs = 20
const waitingMessages = 5_000

export const alertDelivery: Benchmark = {
  name: 'alerts',
  about: 'deliveries a second, and from a changed decision to the accepted webhook, with 10,000 services',

  async run({ rounds }) {
    const dataDir = temporaryDataDir()
    const database = await openDatabase({ url: null, dataDir, log, migrationsFolder })
    try {
      const { toOne, toMany, latencies } = await measure(database, rounds)
      const sorted = latencies.toSorted((one, other) => one - other)
      return {
        title: `Alerts over ${serviceCount.toLocaleString('en-US')} services`,
        rows: [
          benchmarkRowOf('deliveries, all to one channel', '/s', toOne, atLeast(500)),
          benchmarkRowOf(`deliveries to ${channelsOfRound} channels`, '/s', toMany, atLeast(500)),
          benchmarkRowOf('from a stored decision to the accepted webhook, p50', 's', [
            percentile(sorted, 50),
          ]),
          benchmarkRowOf('the same, p99', 's', [percentile(sorted, 99)], atMost(2)),
        ],
        notes: [
          'Durable writes to the embedded PostgreSQL; the receiver is part of the same process and takes everything at once.',
          `Deliveries: ${waitingMessages.toLocaleString('en-US')} messages wait, each about something of its own. Webhooks are signed, and each attempt is noted.`,
          `Decisions: one changes every ${betweenEventsMs} ms, each told to a channel of its own by one of ${channelsOfRound} rules a round; all rules look at all services every five seconds meanwhile.`,
        ],
      }
    } finally {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

async function measure(database: Database, rounds: number) {
  const takenAt = new Map<string, number>()
  let taken = 0
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      await request.text()
      taken += 1
      takenAt.set(new URL(request.url).pathname.slice(1), performance.now())
      return new Response('taken')
    },
  })
  const names = Array.from({ length: rounds * channelsOfRound }, (_, place) => `channel-${place}`)
  const ids = Array.from(
    { length: serviceCount },
    (_, place) => `service-${place}@${names[place] ?? 'others'}`,
  )
  const under = openAlertsUnderTest({
    database,
    channels: names.map((name) => ({
      name,
      type: 'webhook',
      url: new URL(name, receiver.url).href,
      secret: `whsec_${'A'.repeat(32)}`,
    })),
    rules: names.map((name) => ({
      name,
      when: { decision: ['DOWN'] },
      services: { provider: name },
      channels: [name],
    })),
    decisions: new Map(ids.map((id) => [id, 'UP' as Decision])),
  })

  async function deliveriesPerSecond(channels: readonly string[]): Promise<number> {
    const store = createOutboxStore(database)
    const before = taken
    await database.transaction((sql) => store.insert(sql, waitingOf(channels)), 30_000)
    const startedAt = performance.now()
    under.alerts.outbox.wake()
    await waitUntil('all are taken', () => taken - before >= waitingMessages, 120_000)
    return (waitingMessages / (performance.now() - startedAt)) * 1_000
  }

  async function latenciesOf(round: number): Promise<number[]> {
    const changedAt = new Map<string, number>()
    takenAt.clear()
    for (let place = round * channelsOfRound; place < (round + 1) * channelsOfRound; place++) {
      const id = ids[place] ?? ''
      await under.change([id], 'UP', 'DOWN')
      changedAt.set(names[place] ?? '', performance.now())
      await Bun.sleep(betweenEventsMs)
    }
    await waitUntil('all are told', () => takenAt.size >= channelsOfRound, 120_000)
    return [...changedAt].map(([name, at]) => ((takenAt.get(name) ?? Number.NaN) - at) / 1_000)
  }

  under.alerts.start()
  try {
    const [toOne, toMany, latencies]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      toOne.push(await deliveriesPerSecond(names.slice(0, 1)))
      toMany.push(await deliveriesPerSecond(names.slice(0, channelsOfRound)))
      latencies.push(...(await latenciesOf(round)))
    }
    return { toOne, toMany, latencies }
  } finally {
    await under.stop()
    await receiver.stop(true)
  }
}

let written = 0

/** Messages that wait, each about a subject of its own. */
const waitingOf = (channels: readonly string[]) =>
  Array.from({ length: waitingMessages }, (_, place) => {
    const id = `bench-${(written += 1)}`
    const channel = channels[place % channels.length] ?? ''
    const event = {
      type: 'service.decision_changed' as const,
      at: 0,
      alert: 'bench',
      alertId: id,
      status: 'firing' as const,
      severity: 'critical' as const,
      summary: 'Service is DOWN: it does not answer',
      subject: { kind: 'service' as const, id, name: id },
      since: 0,
      data: {
        serviceId: id,
        name: id,
        chain: 'ethereum',
        provider: 'acme',
        from: 'UP',
        to: 'DOWN',
        reason: '',
      },
      incident: null,
      endsIncident: false,
    }
    return {
      id,
      channel,
      target: null,
      subjects: [`${channel}\n${id}`],
      content: { kind: 'notice' as const, events: [event] },
      title: id,
      state: 'waiting' as const,
      nextAt: 0,
      createdAt: Date.now(),
    }
  })
