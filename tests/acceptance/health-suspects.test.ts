import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'

/**
 * What the relay's own failures are good for: a node that dies under traffic is probed at once. It is probed every
 * minute here, so that nothing but a failed call can have it probed in time.
 */

const intervalMs = 60_000
const genesisAt = 1_750_000_000
const start = () => startAnvil({ chainId: 31_337, timestamp: genesisAt, blocks: 'on-demand' })

let nodes: readonly [Anvil, Anvil]
let installation: TestInstallation
let health: HealthClient
let callUrl: string

beforeAll(async () => {
  nodes = [await start(), await start()]
  const [watched, other] = nodes
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000, headAge: 'none' } },
    services: [
      {
        id: 'node',
        name: 'Node',
        chain: 'testnet',
        provider: 'acme',
        endpoint: watched.url,
        policy: { intervalMs, freshMs: 200_000 },
      },
    ],
    endpoints: [
      {
        name: 'testnet',
        chain: 'testnet',
        upstreams: [{ service: 'node', weight: 1_000 }, { url: other.url }], // however slow its first answer was
      },
    ],
  })
  const server = await installation.start()
  health = healthClient(server.url)
  const [key] = await makeQueryKeys(await signInAt(server.url), server.url, [
    { name: 'app', endpoint: 'testnet' },
  ])
  callUrl = `${server.url}/rpc/testnet/${key?.key}`
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await Promise.all(nodes.map((node) => node.stop()))
})

async function call(account: number): Promise<number> {
  const params = [`0x${String(account).padStart(40, '0')}`, 'latest']
  const body = { jsonrpc: '2.0', id: account, method: 'eth_getBalance', params }
  return (await fetch(callUrl, { method: 'POST', body: JSON.stringify(body) })).status
}

test('a node that is killed under traffic is DOWN long before its turn comes', async () => {
  await health.until({ node: 'UP' })
  const statuses: number[] = []
  for (let account = 0; account < 20; account++) statuses.push(await call(account))
  const killedAt = performance.now()
  await nodes[0].stop()
  for (let account = 20; account < 60; account++) statuses.push(await call(account))
  await health.until({ node: 'DOWN' }, 30_000)
  expect(performance.now() - killedAt).toBeLessThan(15_000)
  // The other node answered, so that nobody noticed.
  expect(new Set(statuses)).toEqual(new Set([200]))
}, 60_000)
