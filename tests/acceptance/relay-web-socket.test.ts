import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { closeSocketClients, connectSocket } from '../../server/relay/websocket/test-support/socket-client.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'

/** WebSockets of a whole server: what is done to a key reaches its open connections within a second. */

let anvil: Anvil
let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient
let mined = 1_700_000_100

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ url: anvil.url }] }],
    creditPrices: { eth_subscribe: 2, eth_subscription: 3 },
  })
  server = await installation.start()
  owner = await signInAt(server.url)
}, 60_000)
afterAll(async () => {
  closeSocketClients()
  await installation?.remove()
  await anvil?.stop()
})

/** A key with a WebSocket that has a subscription. */
async function subscribed() {
  const [key] = await makeQueryKeys(owner, server.url, [{ name: 'key', endpoint: 'testnet' }])
  if (key === undefined) throw new Error('no key was made')
  const url = `${server.url.replace('http', 'ws')}/rpc/testnet/${key.key}`
  const socket = await connectSocket(url)
  await socket.call('eth_subscribe', ['newHeads'])
  return { id: key.id, url, socket }
}

const in700Ms = () => Date.now() + 700

describe('a WebSocket is closed within a second of', () => {
  test.each([
    ['disabling its key', 'setEnabled', () => ({ isEnabled: false })],
    ['deleting it', 'delete', () => ({})],
    ['its expiration', 'update', () => ({ expiresAt: in700Ms() })],
    ['a list of addresses without the caller’s', 'update', () => ({ allowedIps: ['192.0.2.1'] })],
    ['a list of domains', 'update', () => ({ allowedDomains: ['example.com'] })],
  ] as const)('%s', async (_, procedure, change) => {
    const { id, url, socket } = await subscribed()
    const changes: { id: string; expiresAt?: number } = { id, ...change() }
    const before = { name: 'key', allowedIps: [], allowedDomains: [], expiresAt: null }
    const input = procedure === 'update' ? { ...before, ...changes } : changes
    expect(await owner.mutate(`queryKeys.${procedure}`, input)).toMatchObject({ status: 200 })
    const from = Math.max(Date.now(), changes.expiresAt ?? 0)
    expect(await socket.untilClosed()).toMatchObject({
      code: 1008,
      reason: expect.stringContaining('any more'),
    })
    expect(Date.now() - from).toBeLessThan(1_000)
    await expect(connectSocket(url)).rejects.toThrow('not opened')
  })
})

test('notifications are in the statistics of the key, with what they cost', async () => {
  const { id, socket } = await subscribed()
  for (let told = 1; told <= 3; told++) {
    await anvil.mine([mined++])
    await waitUntil('it is told', () => socket.notifications().length === told)
  }
  const made = await owner.mutate('apiKeys.create', { name: 'reader', permissions: ['statistics_read'] })
  const { value } = made.data as { value: string }
  const headers = { authorization: `Bearer ${value}` }
  const response = await fetch(`${server.url}/account/statistics/methods?keyId=${id}`, { headers })
  const { items } = (await response.json()) as {
    items: { method: string; requests: number; credits: number }[]
  }
  expect(items.map(({ method, requests, credits }) => [method, requests, credits]).toSorted()).toEqual([
    ['eth_subscribe', 1, 2],
    ['eth_subscription', 3, 9],
  ])
})

test('a server that stops says so (1001), and stops', async () => {
  const { socket } = await subscribed()
  const stopped = server.stop()
  expect(await socket.untilClosed()).toMatchObject({ code: 1001 })
  expect(await stopped).toBe(0)
})
