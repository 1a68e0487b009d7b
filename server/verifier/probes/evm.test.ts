import { afterAll, afterEach, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { startFaultProxy } from '../../../scripts/world/fault-proxy.ts'
import { startReplayNode } from '../../../scripts/world/replay-node.ts'
import type { Recording, ReplayNode, ReplayOptions } from '../../../scripts/world/replay-node.ts'
import { chainOf, startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

const { runner, close } = startLoopbackRunner()
const nodes: ReplayNode[] = []
afterAll(close)
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})

const hash = `0x${'ab'.repeat(32)}`
const recording = { eth_chainId: '0x7a69', eth_getBlockByNumber: { number: '0x10', timestamp: '0x20', hash } }

function startNode(changes: Recording = {}, options: ReplayOptions = {}): ReplayNode {
  const node = startReplayNode({ ...recording, ...changes }, options)
  nodes.push(node)
  return node
}

const probe = (node: ReplayNode, chainId: number | string = 31337) =>
  runner.probeHead(probeTargetOf('evm', node.url), chainOf('evm', chainId))

test('chain id and block come in one round trip', async () => {
  const node = startNode()
  expect(await probe(node)).toMatchObject({ ok: true, error: null, head: { height: 16, timestamp: 32 } })
  expect(node.requests).toHaveLength(1)
})

test('an endpoint that refuses batches is asked one by one, and that is remembered', async () => {
  const node = startNode({}, { takesBatches: false })
  const good = { ok: true, error: null, head: { height: 16, timestamp: 32, hash8: 'ab'.repeat(8) } }
  expect(await probe(node)).toMatchObject(good)
  expect(await probe(node)).toMatchObject(good)
  expect(node.requests.map(({ body }) => Array.isArray(body))).toEqual([true, false, false, false, false])
})

test('after a failed single call a batch is tried again', async () => {
  const node = startNode({}, { takesBatches: false })
  await probe(node)
  node.set({ eth_chainId: { error: { code: -32000, message: 'starting' } } })
  expect(await probe(node)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  const before = node.requests.length
  await probe(node)
  expect(Array.isArray(node.requests[before]?.body)).toBe(true)
})

test('a 502 to a batch is a failed try, and the next one is a batch again', async () => {
  const node = startNode()
  const proxy = await startFaultProxy({ target: node.url })
  try {
    const target = probeTargetOf('evm', proxy.url)
    expect(await runner.probeHead(target, null)).toMatchObject({ ok: true })
    proxy.set({ mode: 'status', status: 502 })
    expect(await runner.probeHead(target, null)).toMatchObject({ ok: false, error: 'HTTP_5XX' })
    expect(proxy.requests()).toBe(2)
    proxy.set({ mode: 'pass' })
    expect(await runner.probeHead(target, null)).toMatchObject({ ok: true })
    expect(node.requests.map(({ body }) => Array.isArray(body))).toEqual([true, true])
  } finally {
    await proxy.stop()
  }
})

test('an endpoint that answers batches with 500 and never took one is asked one by one in the next try', async () => {
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const call: unknown = await request.json()
      if (Array.isArray(call)) return new Response('no batches', { status: 500 })
      const { method } = z.object({ method: z.enum(['eth_chainId', 'eth_getBlockByNumber']) }).parse(call)
      return Response.json({ jsonrpc: '2.0', id: 1, result: recording[method] })
    },
  })
  try {
    const target = probeTargetOf('evm', node.url.href)
    expect(await runner.probeHead(target, null)).toMatchObject({ ok: false, error: 'HTTP_5XX' })
    for (const _ of [1, 2]) expect(await runner.probeHead(target, null)).toMatchObject({ ok: true })
  } finally {
    await node.stop(true)
  }
})

test('a rate limit is no refusal of the batch, whether it comes as status or as error', async () => {
  const node = startNode({ eth_getBlockByNumber: { error: { code: -32005, message: 'limit exceeded' } } })
  expect(await probe(node)).toMatchObject({ ok: false, error: 'RATE_LIMITED' })
  expect(node.requests).toHaveLength(1)

  const proxy = await startFaultProxy({ target: node.url })
  try {
    proxy.set({ mode: 'status', status: 429 })
    const finding = await runner.probeHead(probeTargetOf('evm', proxy.url), null)
    expect(finding).toMatchObject({ ok: false, error: 'RATE_LIMITED' })
    expect(proxy.requests()).toBe(1)
  } finally {
    await proxy.stop()
  }
})

test.each([
  [429, -32007, 'RATE_LIMITED', 1],
  [429, -32000, 'RATE_LIMITED', 1],
  [401, -32600, 'HTTP_4XX', 2], // asked once more without a batch
  [403, -32000, 'HTTP_4XX', 2],
  [400, -32600, 'RPC_ERROR', 2],
])('a status of %d with error %d in its body is %s', async (status, code, error, requests) => {
  let asked = 0
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      asked += 1
      const body = { jsonrpc: '2.0', id: null, error: { code, message: '50/second request limit reached' } }
      return Response.json(body, { status, headers: { 'retry-after': '20' } })
    },
  })
  try {
    const finding = await runner.probeHead(probeTargetOf('evm', node.url.href), null)
    expect(finding).toMatchObject({ ok: false, error })
    if (status === 429) expect(finding).toMatchObject({ retryAfterMs: 20_000 })
    expect(asked).toBe(requests)
  } finally {
    await node.stop(true)
  }
})

test('answers of a batch may come in any order', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      Response.json([
        { jsonrpc: '2.0', id: 2, result: recording.eth_getBlockByNumber },
        { jsonrpc: '2.0', id: 1, result: recording.eth_chainId },
      ]),
  })
  try {
    const finding = await runner.probeHead(probeTargetOf('evm', server.url.href), chainOf('evm', 31337))
    expect(finding).toMatchObject({ ok: true, error: null, head: { height: 16 } })
  } finally {
    await server.stop(true)
  }
})

test('chain ids beyond 2^53 are told apart', async () => {
  const node = startNode({ eth_chainId: '0x20000000000001' })
  expect(await probe(node, '9007199254740993')).toMatchObject({ ok: true, error: null })
  expect(await probe(node, '9007199254740992')).toMatchObject({ ok: true, error: 'WRONG_CHAIN' })
})

test('without a known chain id nothing is wrong', async () => {
  const finding = await runner.probeHead(probeTargetOf('evm', startNode().url), null)
  expect(finding).toMatchObject({ ok: true, error: null })
})

test('a head that is missing is an error; a missing old block is merely unknown', async () => {
  const node = startNode({ eth_getBlockByNumber: null })
  expect(await probe(node)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  expect(await runner.probeCheckpoint(probeTargetOf('evm', node.url), 1)).toBeNull()
  expect(await runner.probeGenesis(probeTargetOf('evm', node.url))).toBeNull()
})

test('a timestamp or hash that is none makes the head worthless', async () => {
  for (const change of [{ timestamp: '-0x1' }, { timestamp: 1.5 }, { hash: 'abc' }, { hash: null }]) {
    const node = startNode({ eth_getBlockByNumber: { ...recording.eth_getBlockByNumber, ...change } })
    expect(await probe(node)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  }
})
