import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChainFollower, hex } from '../../scripts/world/one-chain/chain-follower.ts'
import { startTwoProcesses, startTwoWorkers } from '../../scripts/world/one-chain/world.ts'
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

  test('when one tells of new blocks over a WebSocket, and the other is called about them', async () => {
    for (const [node, blocks] of [0, 0, 3].entries()) await world.chain.trail(node, blocks)
    const [told = '', called = ''] = world.urls
    const follower = createChainFollower([called])
    await followHeads(told, 60, async (height) => {
      const [number, named] = await Promise.all([follower.blockNumber(), follower.block(hex(height))])
      if (number < height) follower.faults.push(`the number is ${number}, not ${height}`)
      if (named === null) follower.faults.push(`block ${height} is null`)
    })
    expect(follower.faults).toEqual([])
  }, 20_000)

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

describe('two workers before three nodes are one chain', () => {
  let workers: Awaited<ReturnType<typeof startTwoWorkers>>
  beforeAll(async () => {
    workers = await startTwoWorkers()
  }, 120_000)
  afterAll(() => workers?.stop(), 60_000)

  test.each([[[0, 0, 3]], [[0, 3, 12]]])(
    'when the nodes are %j blocks behind',
    async (behind) => {
      for (const [node, blocks] of behind.entries()) await workers.chain.trail(node, blocks)
      const follower = createChainFollower(workers.urls, true)
      await follower.followFor(scenarioMs, mostRounds)
      expect(follower.faults).toEqual([])
      expect(follower.rounds).toBeGreaterThan(30)
    },
    20_000,
  )
})

/** Does something about so many new blocks, about each as soon as it is told of. */
async function followHeads(
  url: string,
  count: number,
  told: (height: number) => Promise<void>,
): Promise<void> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const underWay: Promise<void>[] = []
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () =>
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
    )
    socket.addEventListener('close', ({ reason }) => reject(new Error(`closed: ${reason}`)))
    socket.addEventListener('message', ({ data }) => {
      const { params } = JSON.parse(String(data)) as { params?: { result: { number: string } } }
      if (params !== undefined) underWay.push(told(Number(params.result.number)))
      if (underWay.length === count) resolve()
    })
  })
  socket.close()
  await Promise.all(underWay)
}
