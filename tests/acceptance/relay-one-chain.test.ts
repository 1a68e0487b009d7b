import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type EventChain, eventChainId, startEventChain } from '../../scripts/world/event-chain.ts'
import { createTestInstallation, type TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createChainFollower, hex } from '../support/chain-follower.ts'

/**
 * A running server before three real nodes, of which some get their blocks late. Whoever calls must see one chain: the
 * newest block never goes back, a block that was named is there, and no event of it is missing.
 */

const blockMs = 60
const mostRounds = 1_000
const scenarioMs = 3_000

let chain: EventChain
let installation: TestInstallation
let url: string

beforeAll(async () => {
  chain = await startEventChain({ nodes: 3, blockMs })
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: eventChainId, blockMs } },
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: chain.urls.map((node) => ({ url: node })) }],
  })
  const server = await installation.start()
  const owner = await signInAt(server.url)
  const [made] = await makeQueryKeys(owner, server.url, [{ name: 'app', endpoint: 'testnet' }])
  url = `${server.url}/rpc/testnet/${made?.key}`
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await chain?.stop()
}, 30_000)

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
