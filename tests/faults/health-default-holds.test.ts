// Mostly waits: for the holds of the default policy.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { covers } from '../support/covers.ts'

/**
 * How long it takes with the settings that nobody has touched: probed every 10 s, and after the first failure again after
 * 1, 2 and 3 s. Where nothing is there any more, or nothing answers, that proves it.
 */

const chainId = 31_337
const ids = ['killed', 'frozen', 'well']

let nodes: Anvil[] = []
let installation: TestInstallation
let health: HealthClient

beforeAll(async () => {
  const timestamp = Math.floor(Date.now() / 1000)
  const start = (_: string, index: number) =>
    startAnvil({ chainId: chainId + index, timestamp, blocks: { everySec: 1 } })
  nodes = await Promise.all(ids.map(start))
  // A chain for each: the nodes of one chain are probed at the same time, and a lonely one is its own reference.
  const chains = ids.map((id, index) => [id, { family: 'evm', chainId: chainId + index, blockMs: 1_000 }])
  const services = ids.map((id, index) => ({
    id,
    name: id,
    chain: id,
    provider: id,
    endpoint: nodes[index]?.url,
  }))
  installation = await createTestInstallation({ chains: Object.fromEntries(chains), services })
  health = healthClient((await installation.start()).url)
})
afterAll(async () => {
  await installation?.remove()
  await Promise.all(nodes.map((node) => node.stop()))
})

/** In seconds. */
async function timeUntilDown(id: string, end: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await end()
  await health.until({ [id]: 'DOWN' }, 60_000)
  return (performance.now() - startedAt) / 1000
}

test('a node that dies is DOWN within 16 s at default settings, a frozen one within 26 s, and not before that is certain', async () => {
  covers('health-transition-to-down')
  await health.until({ killed: 'UP', frozen: 'UP', well: 'UP' })
  const [killed, frozen] = nodes
  const [killedSec, frozenSec] = await Promise.all([
    timeUntilDown('killed', () => killed?.stop()),
    timeUntilDown('frozen', () => frozen?.pause()),
  ])
  expect(killedSec).toBeGreaterThanOrEqual(3)
  expect(killedSec).toBeLessThanOrEqual(16)
  // It takes connections and never answers: each probe waits for its time-out first.
  expect(frozenSec).toBeGreaterThanOrEqual(10)
  expect(frozenSec).toBeLessThanOrEqual(26)
  expect(await health.decisions(ids)).toEqual(['DOWN', 'DOWN', 'UP'])
  const { thresholds } = await health.details('killed')
  expect(thresholds).toMatchObject({ intervalMs: 10_000, downForMs: 20_000, freshMs: 32_000 })
}, 90_000)
