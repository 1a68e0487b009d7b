import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { type TestDatabase, temporaryDataDir, testDatabase } from '../../scripts/world/database.ts'
import type { GatehouseProcess } from '../../scripts/world/gatehouse-process.ts'
import { type FakeClock, createFakeClock } from '../../scripts/world/ordinary-faults/faketime.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'

/** Two processes with clocks of their own on one database. */

const hasFaketime = needs('faketime')
const folder = temporaryDataDir()
const site = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })
const hourSec = 3_600

let database: TestDatabase
let replicas: Replicas
const clocks = new Map<number, FakeClock>()

beforeAll(async () => {
  if (!hasFaketime) return
  database = await testDatabase()
  const policy = { intervalMs: 1_000, timeoutMs: 900, freshMs: 30_000 }
  const service = {
    id: 'site',
    name: 'Site',
    family: 'http',
    provider: 'acme',
    endpoint: site.url.href,
    policy,
  }
  replicas = await startReplicas({
    count: 2,
    file: { services: [service] },
    databaseUrl: database.url,
    redisUrl: null,
    environmentOf(replica) {
      const clock = createFakeClock(join(folder, `clock-${replica}`))
      if (clock !== null) clocks.set(replica, clock)
      return { ...clock?.environment }
    },
  })
  for (const { url } of replicas.servers) await healthClient(url).until({ site: 'UP' })
}, 60_000)
afterAll(async () => {
  await replicas?.remove()
  await database?.drop()
  await site.stop(true)
  rmSync(folder, { recursive: true, force: true })
}, 30_000)

const owns = async (server: GatehouseProcess): Promise<boolean> => (await server.metric('health_owned')) === 1

function at(replica: number): GatehouseProcess {
  const server = replicas.servers[replica]
  if (server === undefined) throw new RangeError(`there is no process ${replica}`)
  return server
}

async function expectRightAnswer({ url }: GatehouseProcess): Promise<void> {
  const { decision, timestamp } = await healthClient(url).read('site')
  expect(decision).toBe('UP')
  expect(Math.abs(Date.now() / 1_000 - timestamp)).toBeLessThan(hourSec / 2)
}

describe.skipIf(!hasFaketime)('a process whose clock is set an hour ahead', () => {
  test('leaves decisions to another one, says so, and answers as before', async () => {
    const first = (await owns(at(0))) ? 0 : 1
    const [wrong, right] = [at(first), at(1 - first)]
    clocks.get(first)?.set(hourSec)
    await waitUntil('the other decides', async () => {
      for (const server of [wrong, right]) await expectRightAnswer(server)
      return await owns(right)
    })
    expect(await owns(wrong)).toBe(false)
    expect(await wrong.metric('database_clock_ahead_seconds')).toBeCloseTo(-hourSec, -1)
    const readiness = (await (await fetch(`${wrong.url}/readyz`)).json()) as object
    expect(readiness).toMatchObject({
      status: 'degraded',
      reasons: { health: 'the clock of this machine is more than 5 s from that of the database' },
    })
    for (const server of [wrong, right]) await expectRightAnswer(server)
  }, 60_000)

  test('decides when nobody else does', async () => {
    const last = (await owns(at(0))) ? 1 : 0
    await at(1 - last).kill9()
    await waitUntil(
      'it decides',
      async () => {
        await expectRightAnswer(at(last))
        return await owns(at(last))
      },
      25_000,
    )
    await expectRightAnswer(at(last))
  }, 60_000)
})
