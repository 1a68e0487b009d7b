import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { emitter, type EventChain, eventChainId, startEventChain } from '../../scripts/world/event-chain.ts'
import {
  createTestInstallation,
  type GatehouseProcess,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { callNode } from '../../scripts/world/json-rpc-client.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { hex } from '../../scripts/world/one-chain/chain-follower.ts'

/** A running server before real nodes: which answers come from its cache, and that none of them is wrong. */

const blockMs = 60
const finalityDepth = 5

let chain: EventChain
let installation: TestInstallation
let server: GatehouseProcess
/** The addresses of an endpoint with one node, and of one with three. */
let alone: string
let three: string

beforeAll(async () => {
  chain = await startEventChain({ nodes: 3, blockMs })
  const upstreams = chain.urls.map((url) => ({ url }))
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: eventChainId, blockMs, finalityDepth } },
    endpoints: [
      { name: 'alone', chain: 'testnet', upstreams: upstreams.slice(0, 1) },
      { name: 'three', chain: 'testnet', upstreams },
    ],
  })
  server = await installation.start()
  const owner = await signInAt(server.url)
  const names = ['alone', 'three']
  const made = await makeQueryKeys(
    owner,
    server.url,
    names.map((name) => ({ name, endpoint: name })),
  )
  const urlOf = (name: string) => `${server.url}/rpc/${name}/${made[names.indexOf(name)]?.key}`
  alone = urlOf('alone')
  three = urlOf('three')
  await waitUntil('there are final blocks', () => chain.height() > finalityDepth + 10)
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await chain?.stop()
}, 30_000)

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

async function post(url: string, body: unknown) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return { from: response.headers.get('x-gatehouse-cache'), answer: (await response.json()) as unknown }
}

async function call(url: string, method: string, ...params: unknown[]) {
  const { from, answer } = await post(url, { jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = answer as Answer
  return { from, result, error }
}

interface Block {
  readonly number: string
  readonly hash: string
  readonly transactions: readonly string[]
}

const blockAt = async (url: string, at: string) => {
  const { from, result } = await call(url, 'eth_getBlockByNumber', at, false)
  return { from, block: result as Block | null }
}

const newest = async (): Promise<number> => Number((await blockAt(three, 'latest')).block?.number)

/** Calls twice, and returns where the second answer came from once both were the same. */
async function again(url: string, method: string, ...params: unknown[]): Promise<string | null> {
  const first = await call(url, method, ...params)
  const second = await call(url, method, ...params)
  expect(first.error).toBeUndefined()
  expect(second).toEqual({ ...first, from: second.from })
  return second.from
}

describe('what is final', () => {
  test('is answered by a node once, and from then on from the cache', async () => {
    await call(alone, 'eth_blockNumber')
    const { block } = await blockAt(alone, '0x2')
    const { number = '', hash = '', transactions = [] } = block ?? {}
    const state = { to: emitter, data: '0x' }
    for (const [method, ...params] of [
      ['eth_getBlockByNumber', number, true],
      ['eth_getBlockByHash', hash, false],
      ['eth_getTransactionByHash', transactions[0]],
      ['eth_getTransactionReceipt', transactions[0]],
      ['eth_getBlockReceipts', number],
      ['eth_getLogs', { address: emitter, fromBlock: '0x1', toBlock: '0x5' }],
      ['eth_getLogs', { address: emitter, blockHash: hash }],
      ['eth_call', state, number],
      ['eth_getBalance', emitter, number],
      ['eth_getCode', emitter, { blockNumber: number }],
      ['eth_getStorageAt', emitter, '0x0', number],
      ['eth_chainId'],
    ] as const) {
      expect([method, await again(alone, method, ...params)]).toEqual([method, 'hit'])
    }
  })

  test('is a hit for a batch only if all of the batch is', async () => {
    const known = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    const unknown = { jsonrpc: '2.0', id: 2, method: 'eth_gasPrice', params: [] }
    expect((await post(alone, [known, { ...known, id: 'b' }])).from).toBe('hit')
    expect((await post(alone, [known, unknown])).from).toBe('miss')
  })

  test('shows in metrics and in the request log', async () => {
    const before = await server.metric('relay_calls_saved_total{by="cache"}')
    await call(alone, 'eth_chainId')
    expect(await server.metric('relay_calls_saved_total{by="cache"}')).toBe(before + 1)
    expect(await server.metric('relay_cache_bytes')).toBeGreaterThan(1_000)
  })
})

describe('nothing is kept', () => {
  test('of tags, pending state, nothing, errors and the newest block at a node of its own', async () => {
    const none = `0x${'00'.repeat(31)}01`
    for (const [method, ...params] of [
      ['eth_blockNumber'],
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getBalance', emitter, 'pending'],
      ['eth_getTransactionReceipt', none],
      ['eth_getBlockByHash', none, false],
      ['eth_getLogs', { address: `0x${'22'.repeat(20)}`, fromBlock: '0x1', toBlock: '0x5' }],
      ['eth_noSuchMethod'],
      ['eth_getBalance', 'no address', '0x1'],
    ] as const) {
      await call(alone, method, ...params)
      expect([method, (await call(alone, method, ...params)).from]).toEqual([method, 'miss'])
    }
  })
})

/** Makes no more blocks, and resolves to the height of the newest one when the server has told of it. */
async function paused(): Promise<number> {
  chain.pause(true)
  await waitUntil('the newest block is told', async () => (await newest()) === chain.height())
  return chain.height()
}

describe('what is not final yet, at an endpoint that knows its newest block', () => {
  test('is kept until there is another block', async () => {
    const height = await paused()
    const nonce = () => call(three, 'eth_getStorageAt', emitter, '0x0', 'latest')
    const first = await nonce()
    await waitUntil('it comes from a node that is known to have the newest block', async () => {
      await blockAt(three, 'latest')
      return (await nonce()).from === 'hit'
    })
    expect(await nonce()).toEqual({ ...first, from: 'hit' })
    expect((await call(three, 'eth_getStorageAt', emitter, '0x0', hex(height))).from).toBe('hit')
    chain.pause(false)
    await waitUntil('the next block is told', async () => (await newest()) > height)
    expect((await call(three, 'eth_getStorageAt', emitter, '0x0', hex(height))).from).toBe('miss')
  })

  test('is forgotten when a block is replaced by another one of its height', async () => {
    const height = await paused()
    const { block: before } = await blockAt(three, hex(height))
    await waitUntil('it comes from a node that is known to have the newest block', async () => {
      await blockAt(three, 'latest')
      return (await blockAt(three, hex(height))).from === 'hit'
    })
    const old = before?.transactions[0]
    await call(three, 'eth_getTransactionReceipt', old)
    await chain.reorganise(1, 1)
    expect((await blockAt(three, 'latest')).block?.hash).not.toBe(before?.hash)
    const { block: after, from } = await blockAt(three, hex(height))
    expect(after?.hash).not.toBe(before?.hash)
    expect(from).toBe('miss')
    const receipt = (await call(three, 'eth_getTransactionReceipt', old)).result as { blockHash: string }
    expect(receipt.blockHash).toBe(after?.hash ?? '')
    chain.pause(false)
  })

  test('follows a re-organisation of three blocks, and blocks that are final then are kept', async () => {
    const height = await paused()
    for (const at of [height - 2, height - 1, height]) await blockAt(three, hex(at))
    await chain.reorganise(3, 4)
    await waitUntil('the new chain is told', async () => (await newest()) === height + 1)
    for (const at of [height - 2, height - 1, height]) {
      const direct = (await callNode(chain.urls[0] ?? '', 'eth_getBlockByNumber', [hex(at), false])) as Block
      expect((await blockAt(three, hex(at))).block?.hash).toBe(direct.hash)
    }
    chain.pause(false)
    // It is final by the lowest of the nodes, whose heads are told one after another; until then it is kept for one block.
    await waitUntil('it is kept from one block to the next', async () => {
      await blockAt(three, hex(height))
      const then = await newest()
      await waitUntil('there is another block', async () => (await newest()) > then)
      return (await blockAt(three, hex(height))).from === 'hit'
    })
    expect(await newest()).toBeGreaterThan(height + finalityDepth)
  })
})
