import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { GatehouseProcess } from '../../scripts/world/gatehouse-process.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { type RoundRobin, startRoundRobin } from '../../scripts/world/round-robin.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import { type FarWay, openFarWay } from '../support/far-database.ts'
import { healthClient } from '../support/health-client.ts'

/** Three processes that share PostgreSQL alone: one of them probes, decides and writes, and all give its answers. */

let isSiteUp = true
let probes = 0
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch() {
    probes += 1
    return new Response('fine', { status: isSiteUp ? 200 : 500 })
  },
})
const policy = { intervalMs: 1_000, timeoutMs: 900, freshMs: 10_000, downForMs: 3_000, upForMs: 3_000 }
const serviceOf = (id: string) => ({
  id,
  name: id,
  family: 'http' as const,
  provider: 'acme',
  endpoint: site.url.href,
  policy,
})

let database: TestDatabase
/** Before the database, for the processes alone. */
let way: FarWay
let replicas: Replicas
let front: RoundRobin

beforeAll(async () => {
  database = await testDatabase()
  way = await openFarWay(database.url)
  replicas = await startReplicas({
    count: 3,
    file: { services: [serviceOf('site')] },
    databaseUrl: way.url,
    redisUrl: null,
  })
  front = startRoundRobin(replicas.servers.map(({ url }) => url))
  for (const { url } of replicas.servers) await healthClient(url).until({ site: 'UP' })
}, 90_000)
afterAll(async () => {
  await front?.stop()
  await replicas?.remove()
  await way?.close()
  await database?.drop()
  await site.stop(true)
}, 30_000)

const living = (): GatehouseProcess[] => replicas.servers.filter(({ program }) => program.isRunning())

const decides = ({ output }: GatehouseProcess): boolean => {
  const text = output()
  return text.lastIndexOf('this process decides') > text.lastIndexOf('another process decides')
}

const othersDecide = (than: GatehouseProcess): boolean => living().some((one) => one !== than && decides(one))

function owner(): GatehouseProcess {
  const [one, other] = living().filter(decides)
  if (one === undefined || other !== undefined) throw new Error('not one of them decides')
  return one
}

const transitions = () =>
  database.database.run(
    (sql) => sql<{ from: string; to: string; reason: string }[]>`
      SELECT "from", "to", reason FROM health_transitions WHERE service_id = 'site' AND "from" <> "to" ORDER BY at, id`,
  )

/** Waits until as many transitions are stored after the first `before`, and expects them to be these. */
async function untilStored(before: number, expected: readonly string[]): Promise<void> {
  const count = before + expected.length
  await waitUntil('history is stored', async () => (await transitions()).length >= count, 20_000)
  const stored = (await transitions()).slice(before)
  const reasons = stored.map(({ reason }) => reason).join('; ')
  expect(
    stored.map(({ from, to }) => `${from} ${to}`),
    reasons,
  ).toEqual([...expected])
}

const epoch = async () => {
  const [row] = await database.database.run((sql) => sql<{ epoch: string }[]>`SELECT epoch FROM leases`)
  return Number(row?.epoch)
}

const decisionAt = async ({ url }: GatehouseProcess) => (await healthClient(url).read('site')).decision

test('one process probes, and a change is stored once and known to all', async () => {
  expect(living().filter(decides)).toHaveLength(1)
  const [before, startedAt] = [probes, performance.now()]
  await waitUntil('some intervals have passed', () => probes - before >= 10, 20_000)
  const intervals = (performance.now() - startedAt) / policy.intervalMs
  expect((probes - before) / intervals).toBeLessThan(1.5)
  isSiteUp = false
  for (const { url } of living()) await healthClient(url).until({ site: 'DOWN' })
  isSiteUp = true
  for (const { url } of living()) await healthClient(url).until({ site: 'UP' })
  await untilStored(0, ['UNKNOWN UP', 'UP DOWN', 'DOWN UP'])
}, 90_000)

test('a verifier reports through any process, and all have what it saw', async () => {
  const { token } = await owner().operator.verifiers.createToken.mutate({ label: 'outside' })
  const verifier = await enrolWireVerifier(front.url, token, 'outside')
  for (let report = 0; report < 6; report++) {
    const response = await verifier.report({
      services: ['site'],
      rounds: [roundOf(null, [[0, 1, null, null, null, null, 12, 0]])],
    })
    expect(response.status).toBe(200)
  }
  for (const { url } of living()) {
    await waitUntil('both votes are known', async () => {
      const details = await (await fetch(`${url}/health/site/details`)).json()
      return (details as { votes: unknown[] }).votes.length === 2
    })
  }
  const old = verifier.batch()
  front.use(0)
  expect((await verifier.post(JSON.stringify(old))).status).toBe(200)
  const newer = await verifier.report()
  expect(newer.status).toBe(200)
  for (const replica of [0, 1, 2]) {
    front.use(replica)
    expect((await verifier.post(JSON.stringify(old))).status).toBe(409)
  }
  front.use(0, 1, 2)
  await owner().operator.verifiers.revoke.mutate({ id: verifier.id })
}, 60_000)

test('while the database is away the owner goes on, is believed, and stores everything when it is back', async () => {
  const [before, sameOwner, sameEpoch] = [(await transitions()).length, owner(), await epoch()]
  way.proxy.set({ refuse: true })
  way.proxy.cut()
  isSiteUp = false
  for (const { url } of living()) await healthClient(url).until({ site: 'DOWN' })
  isSiteUp = true
  for (const { url } of living()) await healthClient(url).until({ site: 'UP' })
  expect(await transitions()).toHaveLength(before)
  way.proxy.set({})
  await untilStored(before, ['UP DOWN', 'DOWN UP'])
  expect(owner()).toBe(sameOwner)
  expect(await epoch()).toBe(sameEpoch)
}, 90_000)

test('when the owner is killed another takes over, nobody says UNKNOWN, and nothing is stored twice', async () => {
  const before = await epoch()
  const storedBefore = (await transitions()).length
  const killed = owner()
  const seen = new Set<string>()
  const killedAt = performance.now()
  await killed.kill9()
  await waitUntil(
    'another decides',
    async () => {
      for (const one of living()) seen.add(await decisionAt(one))
      return living().some(decides)
    },
    10_000,
  )
  const tookMs = performance.now() - killedAt
  expect(tookMs).toBeLessThan(5_000)
  expect(await epoch()).toBe(before + 1)
  const until = performance.now() + 12_000
  while (performance.now() < until) {
    for (const one of living()) seen.add(await decisionAt(one))
    await Bun.sleep(100)
  }
  expect([...seen]).toEqual(['UP'])
  expect(await transitions()).toHaveLength(storedBefore)
}, 60_000)

test('when the owner is stopped another takes over at once, and nobody says UNKNOWN', async () => {
  const storedBefore = (await transitions()).length
  const seen = new Set<string>()
  const stopping = owner()
  const ended = stopping.stop()
  await waitUntil('another decides', async () => {
    for (const one of living()) if (one !== stopping) seen.add(await decisionAt(one))
    return othersDecide(stopping)
  })
  await ended
  for (const index of replicas.servers.keys())
    if (replicas.servers[index]?.program.isRunning() === false) await replicas.restart(index)
  for (const one of living()) seen.add(await decisionAt(one))
  expect([...seen]).toEqual(['UP'])
  expect(await transitions()).toHaveLength(storedBefore)
}, 60_000)

test('an owner that stood still for 6 s writes nothing when it goes on', async () => {
  const frozen = owner()
  const before = (await transitions()).length
  process.kill(frozen.pid, 'SIGSTOP')
  isSiteUp = false
  const thawsAt = performance.now() + 6_000
  await waitUntil(
    'another has decided for a while',
    () => performance.now() >= thawsAt && othersDecide(frozen),
  )
  process.kill(frozen.pid, 'SIGCONT')
  for (const { url } of living()) await healthClient(url).until({ site: 'DOWN' })
  await waitUntil('the old owner knows', () => !decides(frozen))
  isSiteUp = true
  for (const { url } of living()) await healthClient(url).until({ site: 'UP' })
  await untilStored(before, ['UP DOWN', 'DOWN UP'])
}, 60_000)
