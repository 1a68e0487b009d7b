import { afterAll, beforeAll, expect, test } from 'bun:test'

import { JsonRpcProvider, WebSocketProvider, parseEther } from 'ethers'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { CreatedQueryKey } from '../../shared/query-keys.ts'
import type { KeyStatisticsAnswer, MethodStatisticsAnswer } from '../../shared/usage.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { covers } from '../support/covers.ts'

/**
 * The tour of query keys on two real nodes: keys made over REST, a client library through the relay over HTTP and
 * WebSocket, both limits at their number, a node that stops, and statistics that are true before and after kill -9.
 */

const prices = { default: 20, eth_chainId: 1, eth_blockNumber: 10, eth_call: 26, eth_getLogs: 75 }

let chain: AnvilChain
let installation: TestInstallation
let server: GatehouseProcess
let apiKey: string
let keys: readonly CreatedQueryKey[]

/** What was sent and answered, by method, with every key. */
const sent = new Map<string, number>()
const count = (method: string) => sent.set(method, (sent.get(method) ?? 0) + 1)

const node = (index: number) => {
  const found = chain.nodes[index]
  if (!found) throw new Error(`there is no node ${index}`)
  return found
}

const keyNamed = (name: string): CreatedQueryKey => {
  const key = keys.find((one) => one.name === name)
  if (!key) throw new Error(`there is no key ${name}`)
  return key
}

async function account<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${installation.url}/account/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  })
  expect(response.ok).toBe(true)
  return (await response.json()) as Answer
}

const post = (key: CreatedQueryKey, body: unknown): Promise<Response> =>
  fetch(key.url, { method: 'POST', body: JSON.stringify(body) })

async function call(key: CreatedQueryKey, method: string, params: unknown[] = []): Promise<Response> {
  const response = await post(key, { jsonrpc: '2.0', id: 1, method, params })
  if (response.status === 200) count(method)
  return response
}

beforeAll(async () => {
  chain = await startAnvilChain(2)
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [{ id: 'node-a', name: 'Node A', chain: 'testnet', provider: 'acme', endpoint: node(0).url }],
    endpoints: [
      {
        name: 'testnet',
        chain: 'testnet',
        upstreams: [{ service: 'node-a' }, { url: node(1).url, weight: 1 }],
        methods: { deny: ['debug_*', 'personal_*'] },
      },
    ],
    queryKeyTypes: ['freeRPC', 'growthRPC', 'dedicatedRPC'],
    creditPrices: prices,
  })
  server = await installation.start()
  const owner = await signInAt(server.url)
  const permissions = ['token_create', 'statistics_read']
  const { data } = await owner.mutate('apiKeys.create', { name: 'CI', permissions })
  apiKey = (data as { value: string }).value
}, 90_000)

afterAll(async () => {
  await installation?.remove()
  await chain?.stop()
})

test('three query keys are made with an API key', async () => {
  covers('query-keys-give-access')
  const body = [
    { name: 'library', type: 'growthRPC', endpoint: 'testnet' },
    { name: 'by rate', endpoint: 'testnet', rateLimit: 7, rateLimitPeriod: 'hour' },
    { name: 'by credits', endpoint: 'testnet', creditsLimit: 100, creditsLimitPeriod: 'hour' },
  ]
  keys = await account('create-api-keys', { method: 'POST', body: JSON.stringify(body) })
  expect(keys.map(({ name }) => name)).toEqual(['library', 'by rate', 'by credits'])
})

test('a client library works through the relay, over HTTP and by subscription', async () => {
  const key = keyNamed('library')
  const provider = new JsonRpcProvider(key.url, 31_337, { staticNetwork: true, batchMaxCount: 10 })
  provider.on('debug', (event: { action: string; payload?: { method: string } | { method: string }[] }) => {
    if (event.action !== 'sendRpcPayload' || event.payload === undefined) return
    for (const { method } of [event.payload].flat()) count(method)
  })
  const socket = new WebSocketProvider(key.url.replace(/^http/, 'ws'), 31_337, { staticNetwork: true })
  socket.on('debug', (event: { action: string; payload?: { method: string } }) => {
    if (event.action === 'sendRpcPayload' && event.payload) count(event.payload.method)
  })
  try {
    const blocks: number[] = []
    await socket.on('block', (block: number) => void blocks.push(block))
    await waitUntil('blocks are announced', async () => blocks.length >= 2, 20_000)

    const [blockNumber, balance] = await Promise.all([
      provider.getBlockNumber(),
      provider.getBalance('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
    ])
    expect(blockNumber).toBeGreaterThan(0)
    expect(balance).toBeGreaterThan(parseEther('1'))
    expect(await socket.getBlockNumber()).toBeGreaterThan(0)
    const { chainId } = await provider._detectNetwork()
    expect(chainId).toBe(31_337n)

    // The identity contract that every chain has.
    const identity = '0x0000000000000000000000000000000000000004'
    expect(await provider.call({ to: identity, data: '0x2a' })).toBe('0x2a')
  } finally {
    await socket.destroy()
    provider.destroy()
  }
}, 60_000)

test('the rate limit and the credits limit refuse exactly at their number, with headers that tell the truth', async () => {
  covers(
    'rate-limit-enforced',
    'credits-limit-enforced',
    'limit-refusal',
    'rate-limit-bounds',
    'credits-limit-bounds',
  )
  const byRate = keyNamed('by rate')
  for (let taken = 1; taken <= 7; taken++) {
    const response = await call(byRate, 'eth_chainId')
    expect(response.status).toBe(200)
    expect(response.headers.get('ratelimit-policy')).toBe('"rate";q=7;w=3600')
    expect(response.headers.get('ratelimit')).toStartWith(`"rate";r=${7 - taken}`)
    expect(response.headers.get('x-rpc-credits')).toBe('1')
  }
  const refused = await call(byRate, 'eth_chainId')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32_005 } })

  const byCredits = keyNamed('by credits')
  const prices26 = [26, 26, 26]
  for (const credits of prices26) {
    const response = await call(byCredits, 'eth_call', [{ to: `0x${'00'.repeat(20)}` }, 'latest'])
    expect([response.status, response.headers.get('x-rpc-credits')]).toEqual([200, String(credits)])
  }
  const tooDear = await call(byCredits, 'eth_call', [{ to: `0x${'00'.repeat(20)}` }, 'latest'])
  expect(tooDear.status).toBe(429)
  expect(await tooDear.json()).toMatchObject({ error: { code: -32_005, data: { reason: 'credits' } } })
  const cheap = await call(byCredits, 'eth_getBalance', [`0x${'00'.repeat(20)}`, 'latest'])
  expect([cheap.status, cheap.headers.get('ratelimit')]).toEqual([200, expect.stringContaining('r=2')])
  const batch = await post(byCredits, [
    { jsonrpc: '2.0', id: 'a', method: 'eth_chainId' },
    { jsonrpc: '2.0', id: 'b', method: 'eth_chainId' },
    { jsonrpc: '2.0', id: 'c', method: 'eth_chainId' },
  ])
  expect(batch.status).toBe(429)
})

test('one node is stopped, and callers notice nothing', async () => {
  const key = keyNamed('library')
  const statuses: number[] = []
  const callOften = async (times: number) => {
    for (let index = 0; index < times; index++) {
      const response = await call(key, 'eth_getBalance', [
        `0x${index.toString(16).padStart(40, '0')}`,
        'latest',
      ])
      statuses.push(response.status)
      expect(await response.json()).toMatchObject({ result: expect.stringMatching(/^0x/) })
    }
  }
  const calling = callOften(200)
  await waitUntil('calls are on', async () => statuses.length > 20)
  await node(0).stop()
  await calling
  await callOften(100)
  expect(new Set(statuses)).toEqual(new Set([200]))
}, 60_000)

const numbersOf = ({ requests, ok, errors }: { requests: number; ok: number; errors: number }) => ({
  requests,
  ended: ok + errors,
})

const wanted = () => [...sent].toSorted(([one], [other]) => one.localeCompare(other, 'en'))

async function methodsCounted(): Promise<[string, number][]> {
  const { items } = await account<MethodStatisticsAnswer>('statistics/methods')
  return items
    .filter(({ requests, method }) => requests > 0 && method !== 'eth_subscription')
    .map(({ method, requests }): [string, number] => [method, requests])
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
}

test('statistics by method and by key are what was sent, before and after kill -9', async () => {
  covers('statistics-keys-path', 'statistics-methods-path')
  const total = [...sent.values()].reduce((sum, each) => sum + each, 0)
  expect(await methodsCounted()).toEqual(wanted())

  const byKey = await account<KeyStatisticsAnswer>('statistics/keys')
  const items = new Map(byKey.items.map((item) => [item.name, item]))
  expect(items.get('by rate')).toMatchObject({ requests: 7, credits: 7, ok: 7, errors: 0, rateLimited: 1 })
  expect(items.get('by credits')).toMatchObject({ requests: 4, credits: 98, creditLimited: 4 })
  const notifications = (items.get('library')?.requests ?? 0) + 11 - total
  expect(notifications).toBeGreaterThanOrEqual(0)

  await server.kill9()
  server = await installation.start()
  const after = await account<KeyStatisticsAnswer>('statistics/keys')
  expect(after.items.map((item) => [item.name, item.credits, numbersOf(item)])).toEqual(
    byKey.items.map((item) => [item.name, item.credits, numbersOf(item)]),
  )
  expect(await methodsCounted()).toEqual(wanted())
}, 60_000)

test('limits go on where they were when the server was killed', async () => {
  expect((await call(keyNamed('by rate'), 'eth_chainId')).status).toBe(429)
  expect((await call(keyNamed('by credits'), 'eth_call')).status).toBe(429)
})
