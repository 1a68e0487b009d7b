import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChainFollower } from '../../scripts/world/one-chain/chain-follower.ts'
import { startTwoProcesses } from '../../scripts/world/one-chain/world.ts'
import { needs } from '../support/needs.ts'

/** Two processes of the real server on one Redis, before three nodes: a caller who is passed around sees one chain. */

const hasRedis = needs('redis-server')
const scenarioMs = 4_000
const mostRounds = 1_000

let world: Awaited<ReturnType<typeof startTwoProcesses>>
beforeAll(async () => {
  if (hasRedis) world = await startTwoProcesses()
}, 120_000)
afterAll(() => world?.stop(), 60_000)

describe.skipIf(!hasRedis)('two processes before three nodes are one chain', () => {
  test.each([[[0, 0, 1]], [[0, 0, 3]], [[0, 3, 12]]])(
    'when the nodes are %j blocks behind',
    async (behind) => {
      for (const [node, blocks] of behind.entries()) await world.chain.trail(node, blocks)
      const follower = createChainFollower(world.urls)
      await follower.followFor(scenarioMs, mostRounds)
      expect(follower.faults).toEqual([])
      expect(follower.rounds).toBeGreaterThan(30)
    },
    20_000,
  )

  test('calls go on while Redis is away', async () => {
    await world.chain.trail(1, 0)
    await world.chain.trail(2, 0)
    await world.store.kill()
    const follower = createChainFollower(world.urls.slice(0, 1))
    await follower.followFor(2_000, 100)
    await world.store.start()
    expect(follower.faults).toEqual([])
    expect(follower.rounds).toBeGreaterThan(20)
  }, 20_000)
})
