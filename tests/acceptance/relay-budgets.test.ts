import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation, type TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { startAnsweringNode } from '../support/answering-node.ts'

/** A running server whose paid node may be asked five times in a month. */

const node = startAnsweringNode()
let installation: TestInstallation

beforeAll(async () => {
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    endpoints: [
      {
        name: 'testnet',
        chain: 'testnet',
        upstreams: [{ url: node.url, tier: 1, budget: { requests: 5, per: 'month' } }],
        settings: { totalMs: 5_000, byMethod: { 'debug_*': { totalMs: 60_000, hedge: 'off' } } },
      },
    ],
  })
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await node.stop()
}, 30_000)

test('the budget lasts over a restart, and then the answer says when to come again', async () => {
  let server = await installation.start()
  const owner = await signInAt(server.url)
  const [made] = await makeQueryKeys(owner, server.url, [{ name: 'app', endpoint: 'testnet' }])
  const call = (n: number) =>
    fetch(`${server.url}/rpc/testnet/${made?.key}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x0', `0x${n}`] }),
    })
  for (let n = 0; n < 3; n++) expect((await call(n)).status).toBe(200)
  await server.stop()
  server = await installation.start()
  const statuses: number[] = []
  for (let n = 3; n < 8; n++) statuses.push((await call(n)).status)
  expect(statuses).toEqual([200, 200, 503, 503, 503])
  const refused = await call(8)
  expect(await refused.json()).toMatchObject({ error: { data: { reason: 'upstream_budget_spent' } } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const [listed] = await server.operator.endpoints.list.query()
  expect(listed?.upstreams).toMatchObject([
    { tier: 1, budget: { requests: 5, per: 'month' }, budgetUse: { used: 5, amount: 5 } },
  ])
}, 60_000)
