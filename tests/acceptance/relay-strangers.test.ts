import { afterAll, beforeAll, expect, test } from 'bun:test'
import { JsonRpcProvider, parseEther, Wallet } from 'ethers'
import { fromHttp } from 'ox/RpcTransport'
import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Web3 } from 'web3'

import { startAnvil } from '../../scripts/world/anvil.ts'
import { emitter } from '../../scripts/world/event-chain.ts'
import { createTestInstallation, type TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { callNode } from '../../scripts/world/json-rpc-client.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  gossipChainId,
  type GossipingNodes,
  type Manner,
  reverter,
  startGossipingNodes,
} from '../support/gossiping-nodes.ts'

/**
 * Programs that we did not write, over one key of a running server before two real nodes, of which one lags, answers 401
 * with a JSON body, or is away. They must not notice.
 */

const blockMs = 100
const oldBlocks = 2_000
const owner = new Wallet('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

let nodes: GossipingNodes
/**
 * Counted here: the late node of this world has no pool, and where it is the only one that answers it tells an old count.
 */
let nonce = 0
let installation: TestInstallation
let url: string
/** The address with a key for one call a minute. */
let limitedUrl: string
/** The address with a key for five calls a second. */
let slowUrl: string

beforeAll(async () => {
  nodes = await startGossipingNodes()
  await nodes.grow(oldBlocks)
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: gossipChainId, blockMs } },
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: nodes.urls.map((node) => ({ url: node })) }],
  })
  const server = await installation.start()
  const [made, limited, slow] = await makeQueryKeys(await signInAt(server.url), server.url, [
    { name: 'app', endpoint: 'testnet' },
    { name: 'trial', endpoint: 'testnet', rateLimit: 1, rateLimitPeriod: 'minute' },
    { name: 'script', endpoint: 'testnet', rateLimit: 5, rateLimitPeriod: 'second' },
  ])
  url = `${server.url}/rpc/testnet/${made?.key}`
  limitedUrl = `${server.url}/rpc/testnet/${limited?.key}`
  slowUrl = `${server.url}/rpc/testnet/${slow?.key}`
  nodes.run(blockMs)
}, 120_000)

afterAll(async () => {
  await installation?.remove()
  await nodes?.stop()
}, 30_000)

/** What is wrong with the nodes while a stranger works. */
const troubles: readonly (readonly [name: string, lag: number, first: Manner, second: Manner])[] = [
  ['one node is three blocks behind', 3, 'well', 'well'],
  ['one node answers 401', 0, 'well', 'unauthorized'],
  ['the node that makes the blocks answers 401', 1, 'unauthorized', 'well'],
  ['one node is away', 0, 'well', 'away'],
]

function trouble(lag: number, first: Manner, second: Manner): void {
  nodes.lag(lag)
  nodes.behave(0, first)
  nodes.behave(1, second)
}

test.each(troubles)(
  'a wallet with ethers, while %s',
  async (_, lag, first, second) => {
    trouble(lag, first, second)
    // ethers caches answers for 250 ms, which hides what the relay does.
    const provider = new JsonRpcProvider(url, gossipChainId, {
      cacheTimeout: -1,
      pollingInterval: 50,
      staticNetwork: true,
    })
    const wallet = owner.connect(provider)
    for (let sent = 0; sent < 3; sent++) {
      const before = await provider.getBlockNumber()
      const answer = await wallet.sendTransaction({ to: emitter, value: parseEther('0.001'), nonce: nonce++ })
      const receipt = await answer.wait(1, 10_000)
      expect(receipt?.status).toBe(1)
      expect(receipt?.blockNumber).toBeGreaterThan(before)
      const height = receipt?.blockNumber ?? 0
      const block = await provider.getBlock(height)
      expect(block?.hash).toBe(receipt?.blockHash ?? '')
      const logs = await provider.getLogs({ address: emitter, fromBlock: height, toBlock: height })
      expect(logs.map(({ transactionHash }) => transactionHash)).toContain(answer.hash)
    }
    provider.destroy()
  },
  60_000,
)

test.each(troubles)(
  'a wallet with viem, while %s',
  async (_, lag, first, second) => {
    trouble(lag, first, second)
    const chain = defineChain({
      id: gossipChainId,
      name: 'testnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    })
    const at = { chain, transport: http(url, { batch: true }), pollingInterval: 50, cacheTime: 0 } as const
    const account = privateKeyToAccount(owner.privateKey as `0x${string}`)
    const [reader, wallet] = [createPublicClient(at), createWalletClient({ ...at, account })]
    for (let sent = 0; sent < 2; sent++) {
      const before = await reader.getBlockNumber()
      const hash = await wallet.sendTransaction({
        to: emitter as `0x${string}`,
        value: 1_000n,
        nonce: nonce++,
      })
      const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 10_000 })
      expect(receipt.status).toBe('success')
      expect(receipt.blockNumber).toBeGreaterThan(before)
      const { blockNumber } = receipt
      const [block, logs] = await Promise.all([
        reader.getBlock({ blockNumber }),
        reader.getLogs({ address: emitter as `0x${string}`, fromBlock: blockNumber, toBlock: blockNumber }),
      ])
      expect(block.hash).toBe(receipt.blockHash)
      expect(logs.map(({ transactionHash }) => transactionHash)).toContain(hash)
    }
  },
  60_000,
)

test.each(troubles)(
  'a reader with ox, while %s',
  async (_, lag, first, second) => {
    trouble(lag, first, second)
    const { request } = fromHttp(url)
    const start = Number(await request({ method: 'eth_blockNumber' }))
    for (let height = start, newest = start; height < start + 5; newest = height) {
      height = Number(await request({ method: 'eth_blockNumber' }))
      expect(height).toBeGreaterThanOrEqual(newest)
      const number = `0x${height.toString(16)}` as const
      const block = await request({ method: 'eth_getBlockByNumber', params: [number, false] })
      expect(block?.number).toBe(number)
      const logs = await request({
        method: 'eth_getLogs',
        params: [{ address: emitter, fromBlock: number, toBlock: number }],
      })
      expect(logs.length).toBeGreaterThan(0)
    }
  },
  60_000,
)

/** What web3.js makes of addresses of HTTP and of WebSockets. */
const schemes = ['http', 'ws'] as const

function web3At(scheme: (typeof schemes)[number], address: string): Web3 {
  const web3 = new Web3(address.replace('http', scheme))
  web3.eth.transactionPollingInterval = 50
  web3.eth.accounts.wallet.add(owner.privateKey)
  return web3
}

test.each(schemes)(
  'a wallet with web3.js over %s',
  async (scheme) => {
    trouble(3, 'well', 'well')
    const web3 = web3At(scheme, url)
    for (let sent = 0; sent < 2; sent++) {
      const before = await web3.eth.getBlockNumber()
      const call = { from: owner.address, to: emitter, value: '1000', gas: 100_000, nonce: nonce++ }
      const receipt = await web3.eth.sendTransaction(call)
      expect(receipt.status).toBe(1n)
      expect(receipt.blockNumber).toBeGreaterThan(before)
      expect((await web3.eth.getBlock(receipt.blockNumber)).hash).toBe(String(receipt.blockHash))
    }
    if (scheme === 'ws') web3.provider?.disconnect()
  },
  60_000,
)

test('web3.js is told of every block and event, while the node that tells them goes', async () => {
  trouble(0, 'well', 'well')
  const web3 = web3At('ws', url)
  const heads: number[] = []
  const logs: { height: number; transaction: string }[] = []
  const newHeads = await web3.eth.subscribe('newHeads')
  newHeads.on('data', ({ number }) => void heads.push(Number(number)))
  const events = await web3.eth.subscribe('logs', { address: emitter })
  events.on('data', ({ blockNumber, transactionHash }) => {
    logs.push({ height: Number(blockNumber), transaction: String(transactionHash) })
  })
  for (const [first, second] of [
    ['well', 'well'],
    ['away', 'well'],
    ['well', 'away'],
  ] as const) {
    trouble(0, first, second)
    const [told, seen] = [heads.length, logs.length]
    await waitUntil('it is told', () => heads.length > told + 3 && logs.length > seen + 3)
  }
  await newHeads.unsubscribe()
  await events.unsubscribe()
  web3.provider?.disconnect()
  const [first = 0] = heads
  expect(heads).toEqual(heads.map((_, index) => first + index))
  expect(new Set(logs.map(({ transaction }) => transaction)).size).toBe(logs.length)
  const withEvent = [...new Set(logs.map(({ height }) => height))]
  expect(withEvent).toEqual(withEvent.map((_, index) => (withEvent[0] ?? 0) + index))
}, 60_000)

test.each(schemes)('web3.js understands errors over %s', async (scheme) => {
  trouble(0, 'well', 'well')
  const web3 = web3At(scheme, url)
  const limited = web3At(scheme, limitedUrl)
  await Promise.allSettled([limited.eth.getBlockNumber()])
  const send = (method: string) => web3.requestManager.send({ method: method as 'eth_accounts', params: [] })
  const spent = { from: owner.address, to: emitter, value: '1', gas: 100_000, nonce: 0 }
  const calls = [
    web3.eth.call({ to: reverter }),
    web3.eth.sendTransaction(spent),
    send('eth_unheardOf'),
    send('eth_sign'),
    limited.eth.getBlockNumber(),
  ]
  const errors = (await Promise.allSettled(calls)).map((call) => call.status === 'rejected' && call.reason)
  expect(errors).toMatchObject([
    { name: 'ContractExecutionError', cause: { code: 3, message: 'execution reverted', data: '0x' } },
    { message: 'Returned error: nonce too low' },
    { message: expect.stringContaining('eth_unheardOf is not a method that is known here') },
    { message: expect.stringContaining('sign with a key of your own') },
    { message: expect.stringContaining('the rate limit of this query key is reached') },
  ])
  if (scheme === 'ws') for (const { provider } of [web3, limited]) provider?.disconnect()
})

test('ethers waits at a limit by the second until all of its calls are answered', async () => {
  trouble(0, 'well', 'well')
  const provider = new JsonRpcProvider(slowUrl, gossipChainId, { batchMaxCount: 1, staticNetwork: true })
  const heights = Array.from({ length: 8 }, (_, height) => height)
  const blocks = await Promise.all(heights.map((height) => provider.getBlock(height)))
  expect(blocks.map((block) => block?.number)).toEqual(heights)
  provider.destroy()
}, 60_000)

test('an indexer reads 2,000 blocks through two nodes that come and go, and misses no event', async () => {
  trouble(2, 'well', 'well')
  const last = nodes.height()
  const found = new Set<number>()
  const manners: readonly (readonly [Manner, Manner])[] = [
    ['well', 'away'],
    ['well', 'well'],
    ['away', 'well'],
    ['well', 'unauthorized'],
    ['unauthorized', 'well'],
  ]
  const { request } = fromHttp(url)
  for (let from = 1, round = 0; from <= last; round++) {
    trouble(2, ...(manners[round % manners.length] ?? ['well', 'well']))
    const to = Math.min(from + 24, last, Number(await request({ method: 'eth_blockNumber' })))
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` } as const
    const logs = await request({ method: 'eth_getLogs', params: [{ address: emitter, ...range }] })
    for (const { blockNumber } of logs) found.add(Number(blockNumber))
    from = to + 1
  }
  expect([...found]).toEqual(nodes.events.filter((height) => height <= last))
  expect(last).toBeGreaterThanOrEqual(oldBlocks)
}, 60_000)

test('anvil forks from the relay while one node answers 401', async () => {
  trouble(2, 'well', 'unauthorized')
  const fork = await startAnvil({
    chainId: gossipChainId,
    timestamp: 1_800_000_000,
    blocks: 'on-demand',
    forkUrl: url,
  })
  try {
    const height = Number(await fork.rpc('eth_blockNumber'))
    expect(height).toBeGreaterThanOrEqual(oldBlocks)
    const next = Number(await fork.rpc('eth_getTransactionCount', [owner.address, 'latest']))
    expect(next).toBe(
      Number(await fork.rpc('eth_getTransactionCount', [owner.address, `0x${height.toString(16)}`])),
    )
    expect(await fork.rpc('eth_getCode', [emitter, 'latest'])).not.toBe('0x')
    const provider = new JsonRpcProvider(fork.url, gossipChainId, { staticNetwork: true })
    const answer = await owner.connect(provider).sendTransaction({ to: emitter, value: 1n, nonce: next })
    await fork.mine([1_800_000_100])
    expect((await provider.getTransactionReceipt(answer.hash))?.status).toBe(1)
    provider.destroy()
  } finally {
    await fork.stop()
  }
}, 60_000)

async function hashAt(node: string | undefined, at: string): Promise<string | undefined> {
  const block = (await callNode(node ?? '', 'eth_getBlockByNumber', [at, false])) as { hash: string } | null
  return block?.hash
}

test('the nodes were one chain', async () => {
  trouble(0, 'well', 'well')
  const height = nodes.height() - 1
  const at = `0x${height.toString(16)}`
  const [first, second] = nodes.urls
  await waitUntil('both have it', async () => (await hashAt(second, at)) !== undefined)
  expect(await hashAt(second, at)).toBe(await hashAt(first, at))
})
