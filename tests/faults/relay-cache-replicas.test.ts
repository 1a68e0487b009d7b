import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { temporaryDataDir, testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { startStore, type TestStore } from '../../scripts/world/limit-nodes/nodes.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type ScriptedChainNode, startChainNode } from '../../server/relay/test-support/chain-node.ts'
import { needs } from '../support/needs.ts'

/** Two processes of the real server with one Redis: what one of them has kept answers the other, while there is a Redis. */

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
const head = 10_000

let node: ScriptedChainNode
let store: TestStore
let database: TestDatabase
let replicas: Replicas
let urls: readonly string[]

const file = (nodeUrl: string): object => ({
  verifiers: { builtIn: false },
  chains: { testnet: { family: 'evm', chainId: 31_337, finalityDepth: 64 } },
  endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ url: nodeUrl }] }],
  cache: { store: 'redis' },
})

const tellHeads = () => Promise.all(urls.map((url) => call(url, 'eth_blockNumber')))

beforeAll(async () => {
  if (!hasRedis) return
  node = startChainNode('node', head)
  store = await startStore(folder)
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: file(node.url),
    databaseUrl: database.url,
    redisUrl: store.url,
    environment: { GATEHOUSE_LOG_LEVEL: 'error' },
  })
  const [first] = replicas.servers
  if (first === undefined) throw new Error('no server runs')
  const owner = await signInAt(first.url)
  const [made] = await makeQueryKeys(owner, first.url, [{ name: 'app', endpoint: 'testnet' }])
  urls = replicas.servers.map((server) => `${server.url}/rpc/testnet/${made?.key}`)
  await tellHeads()
}, 120_000)

afterAll(async () => {
  await replicas?.remove()
  await node?.stop()
  await store?.kill()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

async function call(url: string | undefined, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const startedAt = performance.now()
  const response = await fetch(url ?? '', { method: 'POST', body })
  const { result } = (await response.json()) as { result?: unknown }
  return {
    from: response.headers.get('x-gatehouse-cache'),
    result,
    tookMs: performance.now() - startedAt,
  }
}

const hex = (height: number): string => `0x${height.toString(16)}`
const balance = (url: string | undefined, height: number, account = 0x11) =>
  call(url, 'eth_getBalance', `0x${account.toString(16).padStart(40, '0')}`, hex(height))

/** Has one process keep a result, and resolves once the other one answers with it. No account is asked for twice. */
const untilShared = (height: number, before?: () => Promise<unknown>): Promise<unknown> => {
  let account = 0x1000
  return waitUntil('a result is shared', async () => {
    await before?.()
    account++
    await balance(urls[0], height, account)
    return (await balance(urls[1], height, account)).from === 'hit'
  })
}

describe.skipIf(!hasRedis)('two processes', () => {
  test('share what is final', async () => {
    await untilShared(100)
    const before = node.calls.length
    const shared = await call(urls[0], 'eth_getBlockByNumber', hex(50), false)
    expect(shared.from).toBe('miss')
    const askOther = () => call(urls[1], 'eth_getBlockByNumber', hex(50), false)
    await waitUntil('the other process has it', async () => (await askOther()).from === 'hit')
    expect((await askOther()).result).toEqual(shared.result)
    expect(node.calls.length - before).toBeLessThanOrEqual(2)
  })

  test('keep nothing there that is not final', async () => {
    await balance(urls[0], head - 1)
    expect((await balance(urls[1], head - 1)).from).toBe('miss')
    expect((await balance(urls[1], head - 1)).from).toBe('miss')
  })

  test('forget everything together when the chain is another one', async () => {
    await untilShared(200)
    node.head = 90
    await tellHeads()
    node.head = head
    await tellHeads()
    expect((await balance(urls[1], 200, 0x1001)).from).toBe('miss')
  })

  test('forget what is of a chain that began anew while none of them ran', async () => {
    await balance(urls[0], 210, 0x21)
    await untilShared(210)
    await Promise.all(replicas.servers.map((server) => server.stop()))
    node.head = 3_000
    for (const index of urls.keys()) await replicas.restart(index)
    await untilShared(220, tellHeads)
    expect((await balance(urls[1], 210, 0x21)).from).toBe('miss')
    node.head = head
    await tellHeads()
  }, 60_000)

  test('go on when the store hangs and when it is away, and share again when it is back', async () => {
    store.pause()
    for (let height = 300; height < 320; height++) {
      const { result, tookMs } = await balance(urls[height % 2], height)
      expect(result).toBe('node')
      expect(tookMs).toBeLessThan(1_000)
    }
    store.resume()
    await store.kill()
    for (let height = 320; height < 340; height++) {
      expect(await balance(urls[height % 2], height)).toMatchObject({ result: 'node', from: 'miss' })
      expect((await balance(urls[height % 2], height)).from).toBe('hit')
    }
    await store.start()
    await untilShared(400)
  }, 40_000)
})

test('a file that wants the store without REDIS_URL is refused with a sentence', async () => {
  const installation = await createTestInstallation(file('http://127.0.0.1:8545'))
  try {
    const program = installation.launch()
    await waitUntil('the server has ended', () => !program.isRunning(), 20_000)
    expect(program.output()).toContain('cache.store: needs the environment variable REDIS_URL')
  } finally {
    await installation.remove()
  }
}, 40_000)
