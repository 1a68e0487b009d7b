// Mostly waits: for changes that have to last.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { ServiceHistory } from '../../shared/health-details.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { covers } from '../support/covers.ts'

/** The tour of the README, on real nodes: two of one chain and a third that lags, and a server that is killed. */

const policy = {
  intervalMs: 1_000,
  freshMs: 5_000,
  enterBlocks: 5,
  enterSec: 5,
  downForMs: 2_000,
  latencyForMs: 2_000,
  upForMs: 2_000,
}
/** The quorum of two services outlasts the restart on any machine: what is stored of a shorter one may last for 15 s only. */
const patient = { freshMs: 120_000 }
const ids = ['node-a', 'node-b', 'node-c']

let chain: AnvilChain
let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
let killedAt = 0
let startedAgainAt = 0

const node = (index: number) => {
  const found = chain.nodes[index]
  if (!found) throw new Error(`there is no node ${index}`)
  return found
}
const service = (id: string, index: number, overrides: object = {}) => ({
  id,
  name: id,
  chain: 'testnet',
  provider: `provider-${index}`,
  endpoint: node(index).url,
  policy: { ...policy, ...overrides },
})

beforeAll(async () => {
  chain = await startAnvilChain(3)
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [service('node-a', 0, patient), service('node-b', 1), service('node-c', 2, patient)],
  })
  health = healthClient(installation.url)
})
afterAll(async () => {
  await installation?.remove()
  await chain?.stop()
})

test('UNKNOWN before anybody has reported, UP soon after', async () => {
  covers('health-transition-from-unknown')
  server = await installation.start()
  expect(await health.decisions(ids)).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN'])
  await health.until({ 'node-a': 'UP', 'node-b': 'UP', 'node-c': 'UP' })
  expect(await health.read('node-a')).toMatchObject({
    serviceId: 'node-a',
    liveVerifiers: 1,
    avgBlocksLatency: 0,
  })
})

test('a node that is stopped is DOWN, started again it is UP', async () => {
  covers('health-transition-to-down')
  await node(1).stop()
  await health.until({ 'node-a': 'UP', 'node-b': 'DOWN', 'node-c': 'UP' })
  expect((await health.details('node-b')).votes).toMatchObject([
    { vote: 'BAD', reason: 'CONNECT', counts: true },
  ])
  expect(await health.read('node-b')).toMatchObject({
    liveVerifiers: 1,
    avgBlocksLatency: 0,
    avgTimeLatency: 0,
  })
  await node(1).start()
  await health.until({ 'node-a': 'UP', 'node-b': 'UP', 'node-c': 'UP' })
}, 40_000)

test('a node that lags is LATENCY', async () => {
  covers('health-transition-to-latency')
  node(2).hold()
  await health.until({ 'node-a': 'UP', 'node-b': 'UP', 'node-c': 'LATENCY' }, 30_000)
  const { votes, reference } = await health.details('node-c')
  expect(votes).toMatchObject([{ vote: 'LAG', reason: 'BLOCKS_BEHIND' }])
  expect(reference).toMatchObject({ corroborated: true, providers: 3 })
  const { avgBlocksLatency, avgTimeLatency } = await health.read('node-c')
  expect(avgBlocksLatency).toBeGreaterThan(policy.enterBlocks)
  expect(avgTimeLatency).toBeGreaterThan(policy.enterSec)
}, 40_000)

const storedOfC = async () => (await health.history('node-c')).transitions.at(-1)?.to

test('after kill -9 a decision whose quorum has not expired stands at once', async () => {
  covers('health-restart-keeps-decision')
  // A decision is published first and stored a few milliseconds later.
  await waitUntil('what node-c is now is stored', async () => (await storedOfC()) === 'LATENCY')
  await server.kill9()
  killedAt = Date.now()
  await waitUntil("node-b's quorum has expired", () => Date.now() > killedAt + policy.freshMs + 500)
  startedAgainAt = Date.now()
  server = await installation.start()
  expect(await health.decisions(['node-a', 'node-c'])).toEqual(['UP', 'LATENCY'])
  expect((await health.read('node-a')).liveVerifiers).toBe(1)
  await health.until({ 'node-a': 'UP', 'node-b': 'UP', 'node-c': 'LATENCY' })
}, 40_000)

const readAll = () => Promise.all(ids.map((id) => health.history(id)))
const decisionsOf = ({ transitions }: ServiceHistory) => transitions.map(({ to }) => to)

test('history is whole: every transition is there, and each begins where the last one ended', async () => {
  // The newest one may be on its way to the database.
  await waitUntil('node-b is stored', async () => (await readAll())[1]?.transitions.at(-1)?.to === 'UP')
  const histories = await readAll()
  const [a, b, c] = histories.map(decisionsOf)
  expect(a).toEqual(['UP'])
  // Seen while it caught up after its start, the node was LATENCY for a moment.
  expect(b?.filter((decision) => decision !== 'LATENCY')).toEqual(['UP', 'DOWN', 'UP', 'UNKNOWN', 'UP'])
  expect(c).toEqual(['UP', 'LATENCY'])
  for (const { transitions } of histories) {
    expect(transitions.map(({ from }) => from)).toEqual([
      'UNKNOWN',
      ...transitions.map(({ to }) => to).slice(0, -1),
    ])
    const instants = transitions.map(({ at }) => at)
    expect(instants).toEqual(instants.toSorted((left, right) => left - right))
  }
})

test('a quorum that was lost while the server was dead was lost at its own time', async () => {
  const { transitions, incidents } = await health.history('node-b')
  const lost = transitions.find(({ to }) => to === 'UNKNOWN')
  expect(lost?.reason).toBe('no quorum: the server was not running')
  expect(lost?.at).toBeLessThanOrEqual(Math.ceil((killedAt + policy.freshMs) / 1000))
  expect(lost?.at).toBeLessThanOrEqual(Math.ceil(startedAgainAt / 1000))
  expect(incidents).toMatchObject([{ worst: 'DOWN', cause: '1 of 1 say BAD: CONNECT' }])
  expect(incidents[0]?.closedAt).toBeNumber()
})

test('lag that is caught up with is UP again', async () => {
  covers('health-transition-recovery')
  await node(2).heal()
  await health.until({ 'node-a': 'UP', 'node-b': 'UP', 'node-c': 'UP' })
  await server.stop()
})
