// Mostly waits: for ten rounds of probes.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import { startFaultProxy } from '../../scripts/world/fault-proxy.ts'
import type { FaultProxy } from '../../scripts/world/fault-proxy.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { startRoundRobin } from '../../scripts/world/round-robin.ts'
import type { RoundRobin } from '../../scripts/world/round-robin.ts'

/**
 * Endpoints with several backends that are not equally good. Probed every half second, which is a twentieth of the
 * default, and held accordingly: half a minute here stands for ten minutes.
 */

const policy = {
  intervalMs: 500,
  timeoutMs: 200,
  freshMs: 5_000,
  enterBlocks: 5,
  enterSec: 5,
  downForMs: 1_000,
  latencyForMs: 1_500,
  upForMs: 1_500,
}
/** For blocks that take long to be written and read, most of all on a machine that does other things as well. */
const patientPolicy = { ...policy, intervalMs: 2_000, timeoutMs: 1_000, freshMs: 10_000, downForMs: 5_000 }
const [good, stale, broken, full] = [0, 1, 2, 3]

let chain: AnvilChain
let failing: FaultProxy
let filling: FaultProxy
let installation: TestInstallation
let health: HealthClient
const balancers = new Map<string, RoundRobin>()

beforeAll(async () => {
  chain = await startAnvilChain(4)
  const urls = chain.nodes.map(({ url }) => url)
  failing = await startFaultProxy({ target: urls[0] ?? '' })
  failing.set({ mode: 'status', status: 502 })
  filling = await startFaultProxy({ target: urls[0] ?? '' })
  const backends = [urls[0] ?? '', urls[1] ?? '', failing.url, filling.url]
  for (const id of ['half-stale', 'half-broken', 'mostly-broken', 'now-and-then', 'full-blocks']) {
    const balancer = startRoundRobin(backends)
    balancer.use(good)
    balancers.set(id, balancer)
  }
  const endpoints = new Map([...balancers].map(([id, { url }]) => [id, url]))
  for (const index of [0, 2, 3]) endpoints.set(`node-${index}`, urls[index] ?? '')
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [...endpoints].map(([id, endpoint]) => ({
      id,
      name: id,
      chain: 'testnet',
      provider: id,
      endpoint,
      policy: id === 'full-blocks' ? patientPolicy : policy,
    })),
  })
  health = healthClient((await installation.start()).url)
  await health.until(Object.fromEntries([...endpoints.keys()].map((id) => [id, 'UP'])))
  chain.nodes[stale]?.hold()
})
afterAll(async () => {
  await installation?.remove()
  for (const balancer of balancers.values()) await balancer.stop()
  for (const proxy of [failing, filling]) await proxy?.stop()
  await chain?.stop()
})

/** Sends requests about a service to these backends, in turns. */
const balance = (id: string, ...backends: number[]): void => balancers.get(id)?.use(...backends)

const reasonsAgainst = async (id: string): Promise<(string | null)[]> =>
  (await health.details(id)).votes.map(({ reason }) => reason)

test('one stale backend of two is LATENCY, with the lag of the worst answer', async () => {
  await waitUntil('the stale node is far behind', () => chain.height() > 25, 40_000)
  balance('half-stale', good, stale)
  await health.until({ 'half-stale': 'LATENCY' })
  expect(await reasonsAgainst('half-stale')).toEqual(['INCONSISTENT'])
  expect((await health.details('half-stale')).tries.behind).toBeGreaterThanOrEqual(3)
  // Whichever backend answered last.
  for (let read = 0; read < 10; read++) {
    expect((await health.read('half-stale')).avgBlocksLatency).toBeGreaterThan(policy.enterBlocks)
    const before = balancers.get('half-stale')?.went.length ?? 0
    await waitUntil('another probe', () => (balancers.get('half-stale')?.went.length ?? 0) > before)
  }
  expect(await health.decisions(['half-stale'])).toEqual(['LATENCY'])
}, 90_000)

test('one broken backend of two is LATENCY, though each probe finds the good one in the end', async () => {
  balance('half-broken', good, broken, good, good, broken)
  await health.until({ 'half-broken': 'LATENCY' })
  expect(await reasonsAgainst('half-broken')).toEqual(['INCONSISTENT'])
  expect((await health.details('half-broken')).tries.failed).toBeGreaterThanOrEqual(3)
  const { transitions } = await health.history('half-broken')
  expect(transitions.map(({ to }) => to)).not.toContain('DOWN')
}, 60_000)

test('four broken backends of five are DOWN', async () => {
  // Not in step with the requests of a probe: the good one would answer the same of them in each.
  const goodTurns = new Set([2, 7, 11, 16, 21])
  balance('mostly-broken', ...Array.from({ length: 23 }, (_, turn) => (goodTurns.has(turn) ? good : broken)))
  await health.until({ 'mostly-broken': 'DOWN' })
  await waitUntil('the reason is that it is inconsistent', async () =>
    (await reasonsAgainst('mostly-broken')).includes('INCONSISTENT'),
  )
  balance('mostly-broken', good)
  await health.until({ 'mostly-broken': 'UP' }, 30_000)
}, 90_000)

test('one answer of ten that fails, for as long as ten minutes are here, is never DOWN', async () => {
  balance(
    'now-and-then',
    ...Array.from({ length: 23 }, (_, turn) => (turn === 4 || turn === 15 ? broken : good)),
  )
  const before = balancers.get('now-and-then')?.went.length ?? 0
  await waitUntil(
    'sixty probes have been made',
    () => (balancers.get('now-and-then')?.went.length ?? 0) >= before + 60,
    60_000,
  )
  const { transitions } = await health.history('now-and-then')
  expect(transitions.map(({ to }) => to)).toEqual(['UP'])
}, 90_000)

test('blocks of 8,000 transactions, or of 100,000, are no failure', async () => {
  balance('full-blocks', full)
  for (const transactions of [8_000, 100_000]) {
    filling.set({ mode: 'full-blocks', transactions })
    const before = filling.requests()
    const since = performance.now()
    await waitUntil('five probes have been made', () => filling.requests() >= before + 10, 30_000)
    expect(await health.decisions(['full-blocks'])).toEqual(['UP'])
    // On a busy machine a block of 100,000 takes a probe as long as it may last, and the next ones are good.
    await waitUntil(
      'one of them was good',
      async () => {
        const [vote] = (await health.details('full-blocks')).votes
        return vote?.vote === 'OK' && vote.ageMs < performance.now() - since
      },
      30_000,
    )
  }
}, 100_000)
