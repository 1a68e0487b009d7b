import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'

/** Two processes over one database: what one operator allows or revokes holds at both when the call returns. */

let database: TestDatabase
let replicas: Replicas
const node = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { id } = (await request.json()) as { id: unknown }
    return Response.json({ jsonrpc: '2.0', id, result: '0x7a69' })
  },
})

beforeAll(async () => {
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: { chains: { testnet: { family: 'evm', chainId: 31_337 } }, verifiers: { builtIn: false } },
    databaseUrl: database.url,
    redisUrl: null,
    environment: { GATEHOUSE_ALLOW_PRIVATE: '', GATEHOUSE_LOG_LEVEL: 'error' },
  })
}, 120_000)
afterAll(async () => {
  await replicas?.remove()
  await node.stop(true)
  await database?.drop()
}, 60_000)

function operatorAt(replica: number) {
  const server = replicas.servers[replica]
  if (server === undefined) throw new RangeError(`there is no replica ${replica}`)
  return server.operator
}

const isReachedAt = async (replica: number): Promise<boolean | undefined> =>
  (await operatorAt(replica).endpoints.test.mutate({ name: 'testnet' }))[0]?.ok

test('the node is reached by both as soon as it is allowed at one, and by none as soon as it is revoked at the other', async () => {
  const url = `http://127.0.0.1:${node.port}/`
  const spec = { name: 'testnet', chain: 'testnet', upstreams: [{ url }] }
  await expect(operatorAt(1).endpoints.create.mutate(spec)).rejects.toThrow('a private address')
  expect(await operatorAt(0).allowedAddresses.allow.mutate({ address: url })).toEqual({
    allowed: ['127.0.0.1'],
    already: [],
    propagated: true,
  })
  await operatorAt(1).endpoints.create.mutate(spec)
  await waitUntil('the other process has the endpoint', async () =>
    (await operatorAt(0).endpoints.list.query()).some(({ name }) => name === 'testnet'),
  )
  for (let round = 0; round < 5; round += 1) {
    await operatorAt(0).allowedAddresses.allow.mutate({ address: '127.0.0.1' })
    expect(await Promise.all([0, 1].map(isReachedAt))).toEqual([true, true])
    const { propagated } = await operatorAt(1).allowedAddresses.revoke.mutate({ address: '127.0.0.1' })
    expect(propagated).toBe(true)
    expect(await Promise.all([0, 1].map(isReachedAt))).toEqual([false, false])
  }
}, 60_000)
