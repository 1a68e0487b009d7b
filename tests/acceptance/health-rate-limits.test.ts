// Mostly waits: for refusals that have to last.
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

/**
 * Nodes that limit the rate of the verifier. Everything is a twentieth of what it is by default: probed every half
 * second, DOWN after a second. So ten seconds stand for more than three minutes.
 */

const ids = ['now-and-then', 'always', 'patient', 'well']
const policy = { intervalMs: 500, timeoutMs: 200, freshMs: 5_000, downForMs: 1_000, upForMs: 1_000 }

let chain: AnvilChain
let installation: TestInstallation
let health: HealthClient
const proxies = new Map<string, FaultProxy>()

beforeAll(async () => {
  chain = await startAnvilChain(1)
  const [node] = chain.nodes
  for (const id of ids) proxies.set(id, await startFaultProxy({ target: node?.url ?? '' }))
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000, headAge: 'none' } },
    services: ids.map((id) => ({
      id,
      name: id,
      chain: 'testnet',
      provider: id,
      endpoint: proxies.get(id)?.url,
      policy,
    })),
  })
  health = healthClient((await installation.start()).url)
  await health.until(Object.fromEntries(ids.map((id) => [id, 'UP'])))
})
afterAll(async () => {
  await installation?.remove()
  for (const proxy of proxies.values()) await proxy.stop()
  await chain?.stop()
})

const proxyOf = (id: string): FaultProxy => {
  const proxy = proxies.get(id)
  if (!proxy) throw new Error(`there is no proxy for ${id}`)
  return proxy
}
const reasonOf = async (id: string): Promise<string> => (await health.details(id)).reason

test('a service that says 429 now and then never leaves UP', async () => {
  const proxy = proxyOf('now-and-then')
  const startedAt = performance.now()
  let refusals = 0
  while (performance.now() - startedAt < 10_000) {
    const before = proxy.requests()
    proxy.set({ mode: 'status', status: 429 })
    await waitUntil('a probe is refused', () => proxy.requests() > before)
    refusals += 1
    proxy.set({ mode: 'pass' })
    const refused = proxy.requests()
    await waitUntil('a probe is answered', () => proxy.requests() > refused)
  }
  expect(refusals).toBeGreaterThanOrEqual(4)
  const { transitions, buckets } = await health.history('now-and-then')
  expect(transitions.map(({ to }) => to)).toEqual(['UP'])
  expect(buckets.reduce((sum, { failures }) => sum + failures, 0)).toBeLessThanOrEqual(refusals)
}, 60_000)

test('while it is limited, the details say since when', async () => {
  const proxy = proxyOf('patient')
  const before = proxy.requests()
  proxy.set({ mode: 'status', status: 429, retryAfterSec: 6 })
  await waitUntil('the reason says so', async () =>
    /^1 of 1 say OK; limited, last good answer \d+ s ago$/.test(await reasonOf('patient')),
  )
  await waitUntil('five seconds without an answer have passed', async () =>
    (await reasonOf('patient')).endsWith('answer 5 s ago'),
  )
  expect(proxy.requests()).toBe(before + 1) // it asked for 6 s, and got them
  expect(await health.decisions(['patient'])).toEqual(['UP'])
  expect((await health.details('patient')).votes).toMatchObject([{ vote: 'OK', reason: null }])
}, 40_000)

test('a service that says nothing else is DOWN after three refusals over the hold', async () => {
  const proxy = proxyOf('always')
  const before = proxy.requests()
  proxy.set({ mode: 'status', status: 429 })
  await health.until({ always: 'DOWN' })
  expect(proxy.requests() - before).toBe(3)
  expect(await reasonOf('always')).toMatch(
    /^1 of 1 say BAD: RATE_LIMITED; limited, last good answer \d+ s ago$/,
  )
  await waitUntil('history says so', async () => {
    const { transitions } = await health.history('always')
    return transitions.some(({ to, reason }) => to === 'DOWN' && reason === '1 of 1 say BAD: RATE_LIMITED')
  })
  proxy.set({ mode: 'pass' })
  await health.until({ always: 'UP', well: 'UP' })
}, 40_000)
