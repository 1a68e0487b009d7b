// Mostly waits: for blocks.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import { startFaultProxy } from '../../scripts/world/fault-proxy.ts'
import type { FaultProxy } from '../../scripts/world/fault-proxy.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { startTcpFaultProxy } from '../../scripts/world/tcp-fault-proxy.ts'
import type { TcpFaultProxy } from '../../scripts/world/tcp-fault-proxy.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type SolanaCluster, startSolanaCluster } from '../support/solana-cluster.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'

/**
 * Real nodes that push their new heads over WebSocket, through a proxy with faults. They are probed every minute, so that
 * nothing but a head that was pushed, or is missing, can show a change within seconds.
 */

const policy = {
  intervalMs: 60_000,
  freshMs: 200_000,
  enterBlocks: 3,
  enterSec: 3,
  latencyForMs: 500,
  upForMs: 500,
}
const [good, held, killed, cut] = [0, 1, 2, 3]
const ids = ['good', 'held', 'killed', 'cut']
/** Scripted nodes of Solana, whose validator nobody packages: HTTP and WebSocket are real, their slots last 40 ms. */
const solana = ['solana-a', 'solana-b', 'solana-held']
const solanaPolicy = { ...policy, enterBlocks: 50 }

let chain: AnvilChain
let http: FaultProxy[]
let sockets: TcpFaultProxy[]
let cluster: SolanaCluster
let installation: TestInstallation
let health: HealthClient

beforeAll(async () => {
  chain = await startAnvilChain(ids.length)
  const urls = chain.nodes.map(({ url }) => new URL(url))
  http = await Promise.all(urls.map(({ href }) => startFaultProxy({ target: href })))
  sockets = await Promise.all(
    urls.map(({ hostname: host, port }) => startTcpFaultProxy({ target: { host, port: Number(port) } })),
  )
  cluster = startSolanaCluster(solana.length)
  installation = await createTestInstallation({
    chains: {
      testnet: { family: 'evm', chainId: 31337, blockMs: 1_000 },
      slots: { family: 'solana', blockMs: 40 },
    },
    services: [
      ...ids.map((id, index) => ({
        id,
        name: id,
        chain: 'testnet',
        provider: id,
        endpoint: http[index]?.url,
        ws: `ws://127.0.0.1:${sockets[index]?.port}/`,
        policy,
      })),
      ...solana.map((id, index) => ({
        id,
        name: id,
        chain: 'slots',
        provider: id,
        endpoint: cluster.urls[index],
        ws: cluster.urls[index]?.replace('http', 'ws'),
        policy: solanaPolicy,
      })),
    ],
  })
  health = healthClient((await installation.start()).url)
  await health.until(Object.fromEntries([...ids, ...solana].map((id) => [id, 'UP'])))
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  for (const proxy of [...(http ?? []), ...(sockets ?? [])]) await proxy.stop()
  await chain?.stop()
  await cluster?.stop()
})

const requests = (): number[] => http.map((proxy) => proxy.requests())

test('nodes that push their heads are probed no more often than others', async () => {
  const before = requests()
  const from = chain.height()
  await waitUntil('ten blocks', () => chain.height() >= from + 10, 30_000)
  expect(requests()).toEqual(before)
}, 40_000)

test('a lost connection is opened again, and costs a service that answers nothing', async () => {
  const before = requests()[cut]
  sockets[cut]?.cut()
  const from = chain.height()
  await waitUntil('three blocks', () => chain.height() >= from + 3, 30_000)
  expect(requests()[cut]).toBe(before)
}, 40_000)

test('a node that gets no more blocks is LATENCY within a few of them', async () => {
  chain.nodes[held]?.hold()
  const from = performance.now()
  await health.until({ held: 'LATENCY' }, 30_000)
  expect(performance.now() - from).toBeLessThan(15_000)
  expect(await health.decisions(['good', 'killed', 'cut'])).toEqual(['UP', 'UP', 'UP'])
}, 40_000)

test('a node of Solana that gets no more slots is LATENCY within seconds', async () => {
  cluster.holdNode(solana.indexOf('solana-held'), true)
  const from = performance.now()
  await health.until({ 'solana-held': 'LATENCY' }, 30_000)
  expect(performance.now() - from).toBeLessThan(15_000)
  expect(await health.decisions(['solana-a', 'solana-b'])).toEqual(['UP', 'UP'])
}, 40_000)

test('a node that dies is DOWN long before its turn comes', async () => {
  http[killed]?.set({ mode: 'reset' })
  sockets[killed]?.set({ refuse: true })
  const from = performance.now()
  await chain.nodes[killed]?.stop()
  await health.until({ killed: 'DOWN' }, 40_000)
  expect(performance.now() - from).toBeLessThan(25_000)
  expect(await health.decisions([ids[good] ?? '', ids[cut] ?? ''])).toEqual(['UP', 'UP'])
}, 60_000)
