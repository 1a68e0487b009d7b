import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createChainFollower, hex } from '../../scripts/world/one-chain/chain-follower.ts'
import { type OneChainWorld, startOneProcess } from '../../scripts/world/one-chain/world.ts'

/**
 * A running server before three real nodes, of which some get their blocks late. Whoever calls must see one chain: the
 * newest block never goes back, a block that was named is there, and no event of it is missing.
 */

const mostRounds = 1_000
const scenarioMs = 3_000

let world: OneChainWorld
let chain: OneChainWorld['chain']
let url: string

beforeAll(async () => {
  world = await startOneProcess()
  chain = world.chain
  url = world.urls[0] ?? ''
}, 60_000)

afterAll(() => world?.stop(), 30_000)

describe('three nodes are one chain', () => {
  test.each([[[0, 0, 1]], [[0, 0, 3]], [[0, 0, 12]], [[0, 3, 12]]])(
    'when they are %j blocks behind',
    async (behind) => {
      for (const [node, blocks] of behind.entries()) await chain.trail(node, blocks)
      const follower = createChainFollower([url])
      await follower.followFor(scenarioMs, mostRounds)
      expect(follower.faults).toEqual([])
      expect(follower.rounds).toBeGreaterThan(30)
    },
    20_000,
  )

  test('logs of blocks that nobody has yet are waited for, and refused if they do not come', async () => {
    const follower = createChainFollower([url])
    const height = await follower.blockNumber()
    expect(await follower.eventsIn(height, height + 1)).toEqual([height, height + 1])
    expect(follower.eventsIn(height, height + 1_000)).rejects.toThrow(
      'eth_getLogs: -32602 block range extends beyond current head block',
    )
  })
})

const linksOf = async (from: number, to: number): Promise<(string | undefined)[]> => {
  const follower = createChainFollower([url])
  const links: (string | undefined)[] = []
  for (let height = from; height <= to; height++) {
    const [parent, block] = await Promise.all([follower.block(hex(height - 1)), follower.block(hex(height))])
    links.push(block?.parentHash === parent?.hash ? parent?.hash : 'broken')
  }
  return links
}

describe('a re-organisation of three blocks', () => {
  test('is told: the blocks have other hashes, and the newest one is of the new chain', async () => {
    for (const node of [0, 1, 2]) await chain.trail(node, node)
    const follower = createChainFollower([url])
    chain.pause(true)
    await waitUntil(
      'the newest block is known',
      async () => (await follower.blockNumber()) === chain.height(),
    )
    const height = chain.height()
    const before = await follower.block(hex(height - 2))
    await chain.reorganise(3, 2)
    chain.pause(false)
    await waitUntil('the chain has grown', async () => (await follower.blockNumber()) > height + 2)
    const after = await follower.block(hex(height - 2))
    expect(after?.hash).not.toBe(before?.hash)
    const links = await linksOf(height - 5, height + 2)
    expect(links).not.toContain('broken')
    expect(links).not.toContain(before?.hash)
    expect(await follower.eventsIn(height - 5, height + 2)).toHaveLength(8)
  }, 20_000)

  test('that leaves the chain shorter lowers the newest block once the nodes have shown that it lasts', async () => {
    for (const node of [0, 1, 2]) await chain.trail(node, 0)
    const follower = createChainFollower([url])
    chain.pause(true)
    await waitUntil(
      'the newest block is known',
      async () => (await follower.blockNumber()) === chain.height(),
    )
    const height = chain.height()
    await chain.reorganise(3, 1)
    await waitUntil('it is lower', async () => (await follower.blockNumber()) === height - 2)
    expect(await follower.block(hex(height - 2))).not.toBeNull()
    expect(Number((await follower.block('latest'))?.number)).toBe(height - 2)
    chain.pause(false)
    const next = createChainFollower([url])
    await next.followFor(1_000, 50)
    expect(next.faults).toEqual([])
  }, 20_000)
})
