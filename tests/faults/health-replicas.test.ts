import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { GatehouseProcess } from '../../scripts/world/gatehouse-process.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { type RoundRobin, startRoundRobin } from '../../scripts/world/round-robin.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'

/** Verifiers and services at two processes that share PostgreSQL alone, behind a balancer that knows nothing of either. */

let database: TestDatabase
let replicas: Replicas
let front: RoundRobin

beforeAll(async () => {
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: { verifiers: { builtIn: false }, services: [serviceOf('of-the-file')] },
    databaseUrl: database.url,
    redisUrl: null,
  })
  front = startRoundRobin(replicas.servers.map(({ url }) => url))
}, 60_000)
afterAll(async () => {
  await front?.stop()
  await replicas?.remove()
  await database?.drop()
}, 30_000)

const serviceOf = (id: string) => ({
  id,
  name: id,
  family: 'http' as const,
  provider: 'acme',
  endpoint: 'http://127.0.0.1:9/',
})

function processAt(replica: number): GatehouseProcess {
  const one = replicas.servers[replica]
  if (one === undefined) throw new RangeError(`there is no process ${replica}`)
  return one
}

const enrol = async (url: string, name: string) =>
  enrolWireVerifier(
    url,
    (await processAt(0).operator.verifiers.createToken.mutate({ label: name })).token,
    name,
  )

async function outcomeAt(replica: number, report: () => Promise<Response>): Promise<string> {
  front.use(replica)
  const response = await report()
  return response.ok ? 'accepted' : ((await response.json()) as { error: { code: string } }).error.code
}

test('a verifier is known to every process when its enrolment returns', async () => {
  front.use(0, 1)
  const outcomes = new Set<number>()
  for (let round = 0; round < 10; round++) {
    const verifier = await enrol(front.url, `verifier ${round}`)
    for (let report = 0; report < 4; report++) outcomes.add((await verifier.report()).status)
    const { targets } = await verifier.assignments()
    expect(targets.map(({ serviceId }) => serviceId)).toEqual(['of-the-file'])
  }
  expect([...outcomes]).toEqual([200])
})

test('a revoked verifier is refused by every process when the call returns', async () => {
  for (let round = 0; round < 5; round++) {
    const verifier = await enrol(front.url, `revoked ${round}`)
    for (const replica of [0, 1]) expect(await outcomeAt(replica, verifier.report)).toBe('accepted')
    const at = processAt(round % 2).operator
    expect(await at.verifiers.revoke.mutate({ id: verifier.id })).toEqual({ propagated: true })
    for (const replica of [0, 1]) expect(await outcomeAt(replica, verifier.report)).toBe('verifier_revoked')
  }
})

test('a process that slept through an enrolment asks before it says that there is no such verifier', async () => {
  const asleep = processAt(1)
  process.kill(asleep.pid, 'SIGSTOP')
  const verifier = await enrol(processAt(0).url, 'new').finally(() => process.kill(asleep.pid, 'SIGCONT'))
  expect(await outcomeAt(1, verifier.report)).toBe('accepted')
})

test('services of operators and announced work are the same at every process when the call returns', async () => {
  const [one, other] = [processAt(0).operator.services, processAt(1).operator.services]
  const named = async (from: typeof one) =>
    (await from.list.query()).map(({ id, name, maintenance }) => [id, name, maintenance?.note ?? null])
  const ofFile = ['of-the-file', 'of-the-file', null]

  await one.add.mutate({ ...serviceOf('made'), policy: {} })
  expect(await named(other)).toEqual([ofFile, ['made', 'made', null]])
  await expect(other.add.mutate({ ...serviceOf('made'), policy: {} })).rejects.toThrow('taken')

  await other.update.mutate({ id: 'made', name: 'renamed' })
  expect(await named(one)).toEqual([ofFile, ['made', 'renamed', null]])

  await one.startMaintenance.mutate({ id: 'of-the-file', until: null, note: 'new disks' })
  await other.startMaintenance.mutate({ id: 'made', until: null, note: 'as well' })
  for (const from of [one, other]) {
    expect(await named(from)).toEqual([
      ['of-the-file', 'of-the-file', 'new disks'],
      ['made', 'renamed', 'as well'],
    ])
  }
  await one.endMaintenance.mutate({ id: 'made' })
  await other.endMaintenance.mutate({ id: 'of-the-file' })
  for (const from of [one, other]) expect(await named(from)).toEqual([ofFile, ['made', 'renamed', null]])

  await one.remove.mutate({ id: 'made' })
  expect(await named(other)).toEqual([ofFile])
})
