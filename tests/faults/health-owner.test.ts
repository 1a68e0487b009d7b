// Mostly waits: for leases to end.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { GatehouseProcess } from '../../scripts/world/gatehouse-process.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { type RoundRobin, startRoundRobin } from '../../scripts/world/round-robin.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { startVerifierWith } from '../../scripts/world/verifier-process.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import { type FarWay, openFarWay } from '../support/far-database.ts'
import { healthClient } from '../support/health-client.ts'

/** Three processes that share PostgreSQL alone: one of them probes, decides and writes, and all give its answers. */

/** Paths of the site that fail. Each test breaks one of its own, because who fails again and again has to be good for longer. */
const broken = new Set<string>()
let probes = 0
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch({ url }) {
    const path = new URL(url).pathname.slice(1)
    if (path === 'site') probes += 1
    return new Response('fine', { status: broken.has(path) ? 500 : 200 })
  },
})
const policy = { intervalMs: 1_000, timeoutMs: 900, freshMs: 15_000, downForMs: 3_000, upForMs: 3_000 }
const serviceOf = (id: string) => ({
  id,
  name: id,
  family: 'http' as const,
  provider: 'acme',
  endpoint: new URL(id, site.url).href,
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
    file: { services: ['site', 'outage', 'unreached', 'frozen'].map(serviceOf) },
    databaseUrl: way.url,
    redisUrl: null,
  })
  front = startRoundRobin(replicas.servers.map(({ url }) => url))
  for (const { url } of replicas.servers)
    await healthClient(url).until({ site: 'UP', outage: 'UP', unreached: 'UP', frozen: 'UP' })
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

const transitions = (id: string) =>
  database.database.run(
    (sql) => sql<{ from: string; to: string; reason: string }[]>`
      SELECT "from", "to", reason FROM health_transitions WHERE service_id = ${id} AND "from" <> "to" ORDER BY at, id`,
  )

const wentDownAndUp = ['UNKNOWN UP', 'UP DOWN', 'DOWN UP']

/** Waits until so many transitions are stored, and expects them to be these. */
async function untilStored(id: string, expected = wentDownAndUp): Promise<void> {
  await waitUntil('history is stored', async () => (await transitions(id)).length >= expected.length, 20_000)
  const stored = await transitions(id)
  const reasons = stored.map(({ reason }) => reason).join('; ')
  expect(
    stored.map(({ from, to }) => `${from} ${to}`),
    reasons,
  ).toEqual(expected)
}

/** Breaks a path until all say so, and mends it. */
async function breakFor(id: string): Promise<void> {
  broken.add(id)
  for (const { url } of living()) await healthClient(url).until({ [id]: 'DOWN' })
  broken.delete(id)
  for (const { url } of living()) await healthClient(url).until({ [id]: 'UP' })
}

const follower = (): GatehouseProcess => {
  const one = living().find((process) => !decides(process))
  if (one === undefined) throw new Error('all of them decide')
  return one
}

/** Waits until every process has the newest observations of as many verifiers. */
async function untilAllKnow(verifiers: number): Promise<void> {
  for (const { url } of living()) {
    await waitUntil(`${verifiers} votes are known`, async () => {
      const { votes } = await healthClient(url).details('site')
      return votes.length === verifiers && votes.every(({ ageMs }) => ageMs < 4_000)
    })
  }
}

const epoch = async () => {
  const [row] = await database.database.run((sql) => sql<{ epoch: string }[]>`SELECT epoch FROM leases`)
  return Number(row?.epoch)
}

const decisionAt = async ({ url }: GatehouseProcess, id = 'site') =>
  (await healthClient(url).read(id)).decision

test('one process probes, and a change is stored once and known to all', async () => {
  expect(living().filter(decides)).toHaveLength(1)
  const [before, startedAt] = [probes, performance.now()]
  await waitUntil('some intervals have passed', () => probes - before >= 10, 20_000)
  const intervals = (performance.now() - startedAt) / policy.intervalMs
  expect((probes - before) / intervals).toBeLessThan(1.5)
  await breakFor('site')
  await untilStored('site')
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
  await untilAllKnow(2)
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
  await untilAllKnow(1)
}, 60_000)

test('an ordinary verifier behind a balancer is taken for one by all, and refused by all when one has revoked it', async () => {
  const { token } = await follower().operator.verifiers.createToken.mutate({ label: 'ordinary' })
  const verifier = await startVerifierWith({ ...owner(), url: front.url }, token, 'ordinary')
  try {
    await untilAllKnow(2)
    const { operator } = follower()
    const ordinary = (await operator.verifiers.list.query()).find(({ name }) => name === 'ordinary')
    expect(await operator.verifiers.revoke.mutate({ id: ordinary?.id ?? '' })).toEqual({ propagated: true })
    await untilAllKnow(1)
    await waitUntil('it is told so, and ends', () => !verifier.program.isRunning())
  } finally {
    await verifier.stop()
  }
}, 60_000)

test('a service that is made at one process is probed, and answered by all', async () => {
  await follower().operator.services.add.mutate(serviceOf('made'))
  for (const { url } of living()) await healthClient(url).until({ made: 'UP' })
  await follower().operator.services.remove.mutate({ id: 'made' })
}, 60_000)

test('processes that the owner does not reach give the decisions that are stored', async () => {
  const { run } = database.database
  await run(
    (sql) => sql`
      CREATE FUNCTION misannounce() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.url IS NOT NULL AND NEW.id <> (SELECT holder FROM leases) THEN NEW.url := 'http://127.0.0.1:1'; END IF;
        RETURN NEW;
      END $$`,
  )
  await run(
    (sql) => sql`CREATE TRIGGER misannounced BEFORE INSERT OR UPDATE ON nodes
      FOR EACH ROW EXECUTE FUNCTION misannounce()`,
  )
  const sameOwner = owner()
  const seen = new Set<string>()
  for (const decision of ['DOWN', 'UP']) {
    if (decision === 'DOWN') broken.add('unreached')
    else broken.delete('unreached')
    await waitUntil(
      `all say ${decision}`,
      async () => {
        const all = await Promise.all(living().map((one) => decisionAt(one, 'unreached')))
        for (const one of all) seen.add(one)
        return all.every((one) => one === decision)
      },
      20_000,
    )
  }
  expect([...seen].sort()).toEqual(['DOWN', 'UP'])
  expect(owner()).toBe(sameOwner)
  await run((sql) => sql`DROP FUNCTION misannounce CASCADE`)
  await untilAllKnow(1)
}, 60_000)

test('while the database is away the owner goes on, is believed, and stores everything when it is back', async () => {
  const [sameOwner, sameEpoch] = [owner(), await epoch()]
  way.proxy.set({ refuse: true })
  way.proxy.cut()
  await breakFor('outage')
  expect(await transitions('outage')).toHaveLength(1)
  way.proxy.set({})
  await untilStored('outage')
  expect(owner()).toBe(sameOwner)
  expect(await epoch()).toBe(sameEpoch)
}, 90_000)

test('when the owner is killed another takes over, nobody says UNKNOWN, and nothing is stored twice', async () => {
  const before = await epoch()
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
  const until = performance.now() + 16_000
  while (performance.now() < until) {
    for (const one of living()) seen.add(await decisionAt(one))
    await Bun.sleep(100)
  }
  expect([...seen]).toEqual(['UP'])
  await untilStored('site')
}, 60_000)

test('when the owner is stopped another takes over at once, and nobody says UNKNOWN', async () => {
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
  await untilAllKnow(1)
  for (const one of living()) seen.add(await decisionAt(one))
  expect([...seen]).toEqual(['UP'])
  await untilStored('site')
}, 60_000)

test('an owner that stood still for 6 s writes nothing when it goes on', async () => {
  const frozen = owner()
  process.kill(frozen.pid, 'SIGSTOP')
  broken.add('frozen')
  const thawsAt = performance.now() + 6_000
  await waitUntil(
    'another has decided for a while',
    () => performance.now() >= thawsAt && othersDecide(frozen),
  )
  process.kill(frozen.pid, 'SIGCONT')
  for (const { url } of living()) await healthClient(url).until({ frozen: 'DOWN' })
  await waitUntil('the old owner knows', () => !decides(frozen))
  await breakFor('frozen')
  await untilStored('frozen')
}, 60_000)
