// Mostly waits: for nodes to fall behind.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain, ChainNode } from '../../scripts/world/anvil-chain.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'

/**
 * Ordinary small installations: three nodes of one owner, two providers of a chain that may pause, and subgraphs whose
 * chain nobody watches. Nobody corroborates their heads, and their faults have to be found all the same.
 */

const policy = { intervalMs: 1_000, freshMs: 10_000, enterBlocks: 5, enterSec: 5, downForMs: 2_000, latencyForMs: 2_000, upForMs: 2_000 } // prettier-ignore
const own = ['own-a', 'own-b', 'own-c']
const apart = ['apart-a', 'apart-b']

let chain: AnvilChain
let installation: TestInstallation
let health: HealthClient

/** A subgraph whose newest block has this timestamp (Unix seconds). */
function startSubgraph(timestamp: number | null) {
  const block = { number: 1_000, hash: `0x${'ab'.repeat(32)}`, timestamp }
  const answer = { data: { _meta: { block, deployment: 'Qm1', hasIndexingErrors: false } } }
  return Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(answer) })
}
const threeDaysOld = startSubgraph(Math.floor(Date.now() / 1000) - 3 * 86_400)
const timeless = startSubgraph(null)

function node(id: string): ChainNode {
  const found = chain.nodes[[...own, ...apart].indexOf(id)]
  if (!found) throw new Error(`there is no node ${id}`)
  return found
}
const service = (id: string, changes: object) => ({ id, name: id, provider: id, policy, ...changes })

beforeAll(async () => {
  chain = await startAnvilChain(5)
  installation = await createTestInstallation({
    chains: {
      testnet: { family: 'evm', chainId: 31337, blockMs: 1000 },
      pausing: { family: 'evm', chainId: 31337, blockMs: 1000, headAge: 'idle' },
    },
    services: [
      ...own.map((id) => service(id, { chain: 'testnet', provider: 'owner', endpoint: node(id).url })),
      ...apart.map((id) => service(id, { chain: 'pausing', endpoint: node(id).url })),
      service('old-subgraph', { chain: 'gnosis', family: 'subgraph', endpoint: threeDaysOld.url.href }),
      service('timeless-subgraph', { chain: 'base', family: 'subgraph', endpoint: timeless.url.href }),
    ],
  })
  await installation.start()
  health = healthClient(installation.url)
  await health.until(Object.fromEntries([...own, ...apart].map((id) => [id, 'UP'])))
  node('apart-b').hold() // it takes more than half a minute: the other tests run meanwhile
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await chain?.stop()
  await threeDaysOld.stop(true)
  await timeless.stop(true)
}, 30_000)

const reasons = async (id: string) => (await health.details(id)).votes.map(({ reason }) => reason)

test('a subgraph three days behind is DOWN, though nobody watches its chain', async () => {
  await health.until({ 'old-subgraph': 'DOWN' })
  expect(await reasons('old-subgraph')).toEqual(['STALE'])
})

test('a subgraph that tells no time is measured by height alone', async () => {
  await health.until({ 'timeless-subgraph': 'UP' })
})

test('one of three nodes of one owner that follows a fork is DOWN', async () => {
  node('own-c').fork()
  await health.until({ 'own-c': 'DOWN' })
  // A probe that failed on a busy machine before makes it inconsistent until the window forgets it.
  await waitUntil('it is forked', async () => String(await reasons('own-c')) === 'FORKED', 20_000)
  expect(await health.decisions(['own-a', 'own-b'])).toEqual(['UP', 'UP'])
  await node('own-c').heal()
  await health.until({ 'own-c': 'UP' }, 40_000)
}, 70_000)

test('one of three nodes of one owner that trails is LATENCY, and never DOWN for that', async () => {
  node('own-b').trail(12)
  await health.until({ 'own-b': 'LATENCY' })
  expect(await reasons('own-b')).toEqual(['BLOCKS_BEHIND'])
  expect(await health.decisions(['own-a', 'own-c'])).toEqual(['UP', 'UP'])
  await node('own-b').heal()
}, 60_000)

test('of two providers that drift apart the lower one is LATENCY, long before its head is ten minutes old', async () => {
  await health.until({ 'apart-b': 'LATENCY' }, 60_000)
  expect(await reasons('apart-b')).toEqual(['BLOCKS_BEHIND'])
  const gaps = await Promise.all(['apart-a', 'apart-b'].map(async (id) => (await health.details(id)).gap))
  expect(gaps.map((gap) => gap?.isBehind)).toEqual([false, true])
  expect(await health.read('apart-a')).toMatchObject({ decision: 'UP' })
}, 70_000)
