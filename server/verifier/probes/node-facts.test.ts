import { afterAll, afterEach, expect, test } from 'bun:test'

import { startReplayNode } from '../../../scripts/world/replay-node.ts'
import { startLoopbackRunner, impatient, probeTargetOf } from '../../../tests/support/probing.ts'

/** A pruned node, as `evm-facts.ts` asks one. What a real node answers is in `tests/acceptance/probes-anvil.test.ts`. */
interface PrunedNode {
  /** How many blocks back it has state, and over how many it searches logs. */
  depth: number
  logRange: number
  missing: readonly string[]
}

const head = 20_000_000
const { runner, close } = startLoopbackRunner()
const stops: (() => unknown)[] = []
afterAll(close)
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const error = (code: number) => ({ error: { code, message: 'no' } })

function answerOf({ depth, logRange, missing }: PrunedNode, method: string, params: unknown[]): object {
  if (missing.includes(method)) return error(-32601)
  if (method === 'web3_clientVersion') return { result: 'Geth/v1.16.4\u001b[31m/linux' }
  if (method === 'eth_syncing') return { result: { currentBlock: '0x1', highestBlock: '0x2' } }
  if (method === 'eth_getBlockByNumber')
    return { result: { number: `0x${(head - (params[0] === 'safe' ? 32 : 64)).toString(16)}` } }
  if (method === 'eth_getBalance')
    return head - Number(params[1]) <= depth ? { result: '0x0' } : error(-32000)
  if (method === 'eth_getLogs') {
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
    return Number(toBlock) - Number(fromBlock) < logRange ? { result: [] } : error(-32005)
  }
  return error(-32602)
}

function startPruned(node: PrunedNode): { url: string; calls: string[] } {
  const calls: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id, method, params } = await request.json()
      calls.push(method)
      return Response.json({ jsonrpc: '2.0', id, ...answerOf(node, method, params) })
    },
  })
  stops.push(() => server.stop(true))
  return { url: server.url.href, calls }
}

test.each([
  [127, 0],
  [128, 128],
  [10_000, 8_192],
  [70_000, 65_536],
])('a node with state of %d blocks is found to have at least %d, in few calls', async (depth, found) => {
  const { url, calls } = startPruned({ depth, logRange: 1_000, missing: ['trace_block'] })
  expect(await runner.probeFacts(probeTargetOf('evm', url), head)).toEqual({
    clientVersion: 'Geth/v1.16.4[31m/linux',
    isSyncing: true,
    finalizedLag: 64,
    safeLag: 32,
    stateDepth: found,
    missingMethods: ['trace_block'],
    logRange: 1_000,
  })
  expect(calls.length).toBeLessThanOrEqual(15)
})

test('a node that refuses everything leaves nothing known, and one that hangs takes only its time', async () => {
  const { url } = startPruned({
    depth: -1,
    logRange: 0,
    missing: ['web3_clientVersion', 'eth_syncing', 'eth_getBlockByNumber'],
  })
  expect(await runner.probeFacts(probeTargetOf('evm', url), head)).toEqual({ missingMethods: [] })
  const hanging = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) })
  stops.push(() => hanging.stop(true))
  const startedAt = performance.now()
  expect(await runner.probeFacts(impatient(probeTargetOf('evm', hanging.url.href), 200), head)).toEqual({})
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('a beacon node tells its version, its peers, and how far finality and its head are behind', async () => {
  const { answers } = await Bun.file(new URL('fixtures/beacon.json', import.meta.url)).json()
  const node = startReplayNode(answers)
  stops.push(node.stop)
  expect(await runner.probeFacts(probeTargetOf('beacon', node.url), 13_345_678)).toEqual({
    clientVersion: 'Lighthouse/v8.0.1-2e1a1ee/x86_64-linux',
    isSyncing: false,
    syncDistance: 0,
    peers: 104,
    finalizedLag: 13_345_678 - 417_050 * 32,
  })
})

test('families without such calls are not asked', async () => {
  const node = startReplayNode({})
  stops.push(node.stop)
  expect(await runner.probeFacts(probeTargetOf('near', node.url), 5)).toEqual({})
  expect(node.requests).toEqual([])
})
