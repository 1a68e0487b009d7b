import { afterAll, beforeAll, expect, test } from 'bun:test'
import { JsonRpcProvider, parseEther, Wallet } from 'ethers'

import { emitter } from '../../scripts/world/event-chain.ts'
import { createTestInstallation, type TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { callNode } from '../../scripts/world/json-rpc-client.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { type RequestPage, requestClasses, type ShownRequest } from '../../shared/request-log.ts'
import { consoleClient, type ConsoleClient } from '../support/console-client.ts'
import { gossipChainId, type GossipingNodes, startGossipingNodes } from '../support/gossiping-nodes.ts'

/**
 * The relay's promise in one scene: two real nodes behind a running server, of which the second is two blocks late and
 * the first, which has the newest block, begins to answer 401 with a JSON body. A wallet and an indexer with the same key
 * notice nothing, and the request log shows what was done for them.
 */

const blockMs = 100
const lag = 2
const transactionsOfAct = 3
const owner = new Wallet('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')

let nodes: GossipingNodes
let installation: TestInstallation
let url: string
let requests: ConsoleClient['requests']

beforeAll(async () => {
  nodes = await startGossipingNodes()
  await nodes.grow(40)
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: gossipChainId, blockMs } },
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: nodes.urls.map((node) => ({ url: node })) }],
  })
  const server = await installation.start()
  const account = await signInAt(server.url)
  const [made] = await makeQueryKeys(account, server.url, [{ name: 'app', endpoint: 'testnet' }])
  url = `${server.url}/rpc/testnet/${made?.key}`
  requests = consoleClient(account).requests
  nodes.lag(lag)
  nodes.run(blockMs)
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await nodes?.stop()
}, 30_000)

interface Log {
  readonly blockNumber: string
  readonly transactionHash: string
}

/** A program that reads the events of every block once it is told of it, and notes whatever no chain does. */
async function index(from: number, until: () => number): Promise<{ logs: Log[]; faults: string[] }> {
  const logs: Log[] = []
  const faults: string[] = []
  let parent: string | null = null
  for (let next = from, newest = 0; next <= until();) {
    const height = Number(await callNode(url, 'eth_blockNumber'))
    if (height < newest) faults.push(`the newest block went from ${newest} back to ${height}`)
    newest = height
    for (; next <= height; next++) {
      const at = `0x${next.toString(16)}`
      const block = (await callNode(url, 'eth_getBlockByNumber', [at, false])) as Block | null
      if (block === null) faults.push(`block ${next} is null`)
      else if (parent !== null && block.parentHash !== parent)
        faults.push(`block ${next} is of another chain`)
      parent = block === null ? null : block.hash
      const range = { address: emitter, fromBlock: at, toBlock: at }
      logs.push(...((await callNode(url, 'eth_getLogs', [range])) as Log[]))
    }
  }
  return { logs, faults }
}

const heightsOf = (logs: readonly Log[]): number[] => logs.map(({ blockNumber }) => Number(blockNumber))

interface Block {
  readonly hash: string
  readonly parentHash: string
}

/** The owner of the wallet gives neither nonce nor price: whatever is sent is what the relay's answers made of it. */
async function pay(wallet: Wallet): Promise<{ nonce: number; hash: string; height: number }> {
  const sent = await wallet.sendTransaction({ to: emitter, value: parseEther('0.001') })
  const receipt = await sent.wait(1, 10_000)
  expect(receipt?.status).toBe(1)
  return { nonce: sent.nonce, hash: sent.hash, height: receipt?.blockNumber ?? 0 }
}

test('one node is late and the other begins to answer 401: neither a wallet nor an indexer notices', async () => {
  // ethers caches answers for 250 ms, which hides what the relay does.
  const provider = new JsonRpcProvider(url, gossipChainId, { cacheTimeout: -1, pollingInterval: 50 })
  const wallet = owner.connect(provider)
  const from = nodes.height() - 5
  let last = Number.POSITIVE_INFINITY
  const indexing = index(from, () => last)
  const paid: Awaited<ReturnType<typeof pay>>[] = []
  for (const manner of ['well', 'unauthorized', 'well'] as const) {
    nodes.behave(0, manner)
    for (let sent = 0; sent < transactionsOfAct; sent++) paid.push(await pay(wallet))
  }
  provider.destroy()
  last = nodes.height()

  const { logs, faults } = await indexing
  expect(faults).toEqual([])
  expect(paid.map(({ nonce }) => nonce)).toEqual(paid.map((_, sent) => sent))
  const hashes = new Set(paid.map(({ hash }) => hash))
  const [own, others] = [true, false].map((isOwn) =>
    logs.filter(({ transactionHash }) => hashes.has(transactionHash) === isOwn),
  )
  expect(heightsOf(own ?? [])).toEqual(paid.map(({ height }) => height))
  const indexed = heightsOf(others ?? [])
  expect(indexed).toEqual(nodes.events.filter((height) => height >= from && height <= (indexed.at(-1) ?? 0)))
  expect(indexed.at(-1)).toBeGreaterThanOrEqual(last)
}, 60_000)

async function loggedRequests(): Promise<ShownRequest[]> {
  const found: ShownRequest[] = []
  for (let before: string | undefined; ;) {
    const page: RequestPage = await requests.list.query(before === undefined ? {} : { before })
    found.push(...page.requests)
    if (page.nextCursor === null) return found
    before = page.nextCursor
  }
}

const attemptsOf = (request: ShownRequest): string =>
  'attempts' in request ? request.attempts.map((each) => `${each.upstream} ${each.class}`).join(', ') : ''

test('the request log shows what was done for them', async () => {
  const logged = await loggedRequests()
  expect(
    logged.filter((request) => !('class' in request) || requestClasses[request.class] !== 'answered'),
  ).toEqual([])
  const attempts = logged.map(attemptsOf)
  expect(attempts).toContain('upstream-1 answer')
  expect(attempts).toContain('upstream-2 answer')
  const mended = attempts.filter((each) => /upstream-1 node-failure.* upstream-2 answer$/.test(each))
  expect(mended).not.toEqual([])
})
