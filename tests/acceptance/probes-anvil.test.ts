import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { startFaultProxy } from '../../scripts/world/fault-proxy.ts'
import type { FaultProxy } from '../../scripts/world/fault-proxy.ts'
import { startTcpFaultProxy } from '../../scripts/world/tcp-fault-proxy.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { chainOf, impatient, startLoopbackRunner, probeTargetOf } from '../support/probing.ts'

/** EVM probes against real nodes, straight and through the fault proxies. */

const chainId = 31337
const genesisAt = 1_750_000_000
const blockTimes = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index * 12)

const Block = z.object({ number: z.string(), hash: z.string(), timestamp: z.string() })

const { runner, close } = startLoopbackRunner()
const chain = chainOf('evm', chainId)
const probe = (url: string, timeoutMs = 5000) =>
  runner.probeHead(impatient(probeTargetOf('evm', url), timeoutMs), chain)
const startNode = () => startAnvil({ chainId, timestamp: genesisAt, blocks: 'on-demand' })
afterAll(close)

describe('one node', () => {
  let node: Anvil
  let proxy: FaultProxy
  beforeAll(async () => {
    node = await startNode()
    proxy = await startFaultProxy({ target: node.url })
    await node.mine(blockTimes(genesisAt + 12, 20))
  })
  beforeEach(() => proxy.set({ mode: 'pass' }))
  afterAll(async () => {
    await proxy.stop()
    await node.stop()
  })

  test('head, old hashes and genesis are those of the node', async () => {
    const latest = Block.parse(await node.rpc('eth_getBlockByNumber', ['latest', false]))
    const genesis = Block.parse(await node.rpc('eth_getBlockByNumber', ['0x0', false]))
    const hash8 = latest.hash.slice(2, 18)
    const head = { height: 20, timestamp: genesisAt + 240, hash8 }
    expect(await probe(node.url)).toMatchObject({ ok: true, error: null, head })
    const target = probeTargetOf('evm', node.url)
    expect(await runner.probeCheckpoint(target, 20)).toBe(hash8)
    expect(await runner.probeCheckpoint(target, 21)).toBeNull()
    expect(await runner.probeGenesis(target)).toBe(genesis.hash)
  })

  test('what else the node can do is found out: version, history, methods, how far finality is behind', async () => {
    const facts = await runner.probeFacts(probeTargetOf('evm', node.url), 20)
    expect(facts).toMatchObject({ isSyncing: false, stateDepth: null, missingMethods: [] })
    expect(facts.clientVersion).toStartWith('anvil/')
    expect(facts.finalizedLag).toBeGreaterThanOrEqual(facts.safeLag ?? 0)
    expect(facts.logRange).toBeUndefined() // the chain is shorter than the shortest range
  })

  test('another chain id is WRONG_CHAIN until it is set right', async () => {
    await node.rpc('anvil_setChainId', [5])
    expect(await probe(node.url)).toMatchObject({ ok: true, error: 'WRONG_CHAIN' })
    await node.rpc('anvil_setChainId', [chainId])
    expect(await probe(node.url)).toMatchObject({ ok: true, error: null })
  })

  test('a paused node is TIMEOUT, a resumed one answers', async () => {
    node.pause()
    try {
      expect(await probe(node.url, 150)).toMatchObject({ ok: false, error: 'TIMEOUT' })
    } finally {
      node.resume()
    }
    expect(await probe(node.url)).toMatchObject({ ok: true, head: { height: 20 } })
  })

  test('lies of the proxy arrive as the node would tell them', async () => {
    proxy.set({ mode: 'lie', headOffset: 30_000_000, timestampOffsetSec: -5 })
    const lied = { height: 30_000_020, timestamp: genesisAt + 235 }
    expect(await probe(proxy.url)).toMatchObject({ ok: true, head: lied })
    proxy.set({ mode: 'lie', headOffset: -21 })
    expect(await probe(proxy.url)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
    proxy.set({ mode: 'wrong-chain', chainId: 1 })
    expect(await probe(proxy.url)).toMatchObject({ ok: true, error: 'WRONG_CHAIN' })
  })

  test('a stuck proxy repeats its first head while the node goes on', async () => {
    proxy.set({ mode: 'stuck' })
    const first = await probe(proxy.url)
    const nextAt = genesisAt + 1000
    await node.mine([nextAt])
    try {
      expect({ ...(await probe(proxy.url)), rttMs: 0 }).toEqual({ ...first, rttMs: 0 })
      proxy.set({ mode: 'pass' })
      expect(await probe(proxy.url)).toMatchObject({ ok: true, head: { height: 21, timestamp: nextAt } })
    } finally {
      await node.rpc('anvil_rollback', [1])
    }
  })

  test('an error, a rate limit, a refused batch and a slow answer', async () => {
    proxy.set({ mode: 'rpc-error', code: -32000, message: 'header not found' })
    expect(await probe(proxy.url)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
    proxy.set({ mode: 'rpc-error', code: -32005, message: 'limit exceeded' })
    expect(await probe(proxy.url)).toMatchObject({ ok: false, error: 'RATE_LIMITED' })
    proxy.set({ mode: 'no-batch' })
    expect(await probe(proxy.url)).toMatchObject({ ok: true, head: { height: 20 } })
    proxy.set({ mode: 'slow', delayMs: 120 })
    expect((await probe(proxy.url)).rttMs).toBeGreaterThanOrEqual(119)
  })

  test('of a rate-limiting proxy every third request is served', async () => {
    proxy.set({ mode: 'rate', every: 3 })
    const errors: (string | null)[] = []
    for (let round = 0; round < 6; round++) errors.push((await probe(proxy.url)).error)
    expect(errors.filter((error) => error === null)).toHaveLength(2)
    expect(errors.filter((error) => error === 'RATE_LIMITED')).toHaveLength(4)
  })

  test('faults of the connection: black hole, reset midway, refusal, slices', async () => {
    const { hostname: host, port } = new URL(node.url)
    const tcp = await startTcpFaultProxy({ target: { host, port: Number(port) } })
    const url = `http://127.0.0.1:${tcp.port}`
    try {
      tcp.set({ sliceBytes: 7, latencyMs: 1 })
      expect(await probe(url)).toMatchObject({ ok: true, head: { height: 20 } })
      tcp.set({ blackHole: true })
      expect(await probe(url, 150)).toMatchObject({ ok: false, error: 'TIMEOUT' })
      tcp.set({ resetAfterBytes: 400 })
      tcp.cut()
      expect(await probe(url)).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^(CONNECT|NOT_JSON)$/),
      })
      tcp.set({ refuse: true })
      expect(await probe(url)).toMatchObject({ ok: false, error: 'CONNECT' })
    } finally {
      await tcp.stop()
    }
  })
})

describe('two nodes', () => {
  let left: Anvil
  let right: Anvil
  beforeEach(async () => {
    left = await startNode()
    right = await startNode()
  })
  afterEach(async () => {
    await left.stop()
    await right.stop()
  })

  const hashesAt = (height: number) =>
    Promise.all([left, right].map(({ url }) => runner.probeCheckpoint(probeTargetOf('evm', url), height)))

  test('the same timestamps make one chain; one that lags catches up', async () => {
    await left.mine(blockTimes(genesisAt + 12, 20))
    await right.mine(blockTimes(genesisAt + 12, 12))
    expect(await probe(right.url)).toMatchObject({ head: { height: 12, timestamp: genesisAt + 144 } })
    const [ours, theirs] = await hashesAt(12)
    expect(ours).toMatch(/^[0-9a-f]{16}$/)
    expect(theirs).toBe(ours ?? '')

    await right.mine(blockTimes(genesisAt + 156, 8))
    const [leftHead, rightHead] = await Promise.all([probe(left.url), probe(right.url)])
    expect({ ...rightHead, rttMs: 0 }).toEqual({ ...leftHead, rttMs: 0 })
  })

  test('another timestamp makes a fork: one height, two hashes, one genesis', async () => {
    await left.mine([genesisAt + 12, genesisAt + 24])
    await right.mine([genesisAt + 13, genesisAt + 24])
    const [ours, theirs] = await hashesAt(2)
    expect(theirs).not.toBe(ours ?? '')
    const genesis = await runner.probeGenesis(probeTargetOf('evm', left.url))
    expect(await runner.probeGenesis(probeTargetOf('evm', right.url))).toBe(genesis ?? '')
  })

  test('a stopped node is CONNECT, and its process is gone', async () => {
    await right.stop()
    expect(await probe(right.url)).toEqual({ ok: false, error: 'CONNECT', rttMs: 0 })
    expect(() => process.kill(right.pid, 0)).toThrow()
    expect(await probe(left.url)).toMatchObject({ ok: true })
  })
})

test('a node with a block time makes blocks by itself', async () => {
  const node = await startAnvil({ chainId, timestamp: genesisAt, blocks: { everySec: 0.2 } })
  try {
    await waitUntil('three blocks', async () => {
      const finding = await probe(node.url)
      return finding.ok && finding.head !== null && finding.head.height >= 3
    })
  } finally {
    await node.stop()
  }
})
