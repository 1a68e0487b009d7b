import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { temporaryDataDir, testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { type EventChain, eventChainId, startEventChain } from '../../scripts/world/event-chain.ts'
import { startStore, type TestStore } from '../../scripts/world/limit-nodes/nodes.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createChainFollower } from '../support/chain-follower.ts'
import { needs } from '../support/needs.ts'

/** Two processes of the real server on one Redis, before three nodes: a caller who is passed around sees one chain. */

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
const blockMs = 60
const scenarioMs = 4_000
const mostRounds = 1_000

let chain: EventChain
let store: TestStore
let database: TestDatabase
let replicas: Replicas
let urls: readonly string[]

beforeAll(async () => {
  if (!hasRedis) return
  chain = await startEventChain({ nodes: 3, blockMs })
  store = await startStore(folder)
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: {
      verifiers: { builtIn: false },
      chains: { testnet: { family: 'evm', chainId: eventChainId, blockMs } },
      endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: chain.urls.map((url) => ({ url })) }],
    },
    databaseUrl: database.url,
    redisUrl: store.url,
    environment: { GATEHOUSE_LOG_LEVEL: 'error' },
  })
  const [first] = replicas.servers
  if (first === undefined) throw new Error('no server runs')
  const owner = await signInAt(first.url)
  const [made] = await makeQueryKeys(owner, first.url, [{ name: 'app', endpoint: 'testnet' }])
  urls = replicas.servers.map((server) => `${server.url}/rpc/testnet/${made?.key}`)
}, 120_000)

afterAll(async () => {
  await replicas?.remove()
  await chain?.stop()
  await store?.kill()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

describe.skipIf(!hasRedis)('two processes before three nodes are one chain', () => {
  test.each([[[0, 0, 1]], [[0, 0, 3]], [[0, 3, 12]]])(
    'when the nodes are %j blocks behind',
    async (behind) => {
      for (const [node, blocks] of behind.entries()) await chain.trail(node, blocks)
      const follower = createChainFollower(urls)
      await follower.followFor(scenarioMs, mostRounds)
      expect(follower.faults).toEqual([])
      expect(follower.rounds).toBeGreaterThan(30)
    },
    20_000,
  )

  test('calls go on while Redis is away', async () => {
    await chain.trail(1, 0)
    await chain.trail(2, 0)
    await store.kill()
    const follower = createChainFollower(urls.slice(0, 1))
    await follower.followFor(2_000, 100)
    await store.start()
    expect(follower.faults).toEqual([])
    expect(follower.rounds).toBeGreaterThan(20)
  }, 20_000)
})
