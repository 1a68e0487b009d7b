import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'

/** Chains that operators add, at two processes of the real server that share a database. */

const wallet = createTestWallet()
let database: TestDatabase
let replicas: Replicas
let operators: SignedInClient[]

beforeAll(async () => {
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: { verifiers: { builtIn: false } },
    databaseUrl: database.url,
    redisUrl: null,
    environment: {
      GATEHOUSE_LOG_LEVEL: 'error',
      GATEHOUSE_OPERATORS: wallet.address,
      GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
    },
  })
  operators = await Promise.all(replicas.servers.map(({ url }) => signInAt(url, wallet)))
}, 180_000)

afterAll(async () => {
  await replicas?.remove()
  await database?.drop()
}, 60_000)

const at = (replica: number): SignedInClient => {
  const operator = operators[replica]
  if (operator === undefined) throw new RangeError(`there is no process ${replica}`)
  return operator
}

const rollup = { key: 'my-rollup', name: 'My rollup', family: 'evm', chainId: 424_242, blockMs: 2_000 }
const service = {
  id: 'rollup-node',
  name: 'Rollup node',
  chain: 'my-rollup',
  provider: 'acme',
  endpoint: 'http://127.0.0.1:9',
  policy: {},
}

async function chainAt(replica: number, key: string): Promise<Record<string, unknown> | undefined> {
  const { data } = await at(replica).query('chains.list')
  return (data as Record<string, unknown>[]).find((chain) => chain['key'] === key)
}

async function changed(replica: number, procedure: string, input: object): Promise<unknown> {
  const { data, error } = await at(replica).mutate(procedure, input)
  return error === undefined ? data : JSON.stringify(error)
}

test('a chain holds at every process, also one that is started later, for as long as something is of it', async () => {
  const done = { key: 'my-rollup', propagated: true, isActive: true }
  expect(await changed(0, 'chains.create', rollup)).toEqual(done)
  expect(await chainAt(0, 'my-rollup')).toMatchObject({
    ...rollup,
    finalityDepth: 128, // as usual for its family
    managedBy: 'operator',
    custom: rollup,
    services: 0,
    endpoints: 0,
  })
  await waitUntil('the other process has it', async () => (await chainAt(1, 'my-rollup')) !== undefined)

  expect(await changed(1, 'services.add', service)).toMatchObject({ id: 'rollup-node' })
  const endpoint = { name: 'rollup', chain: 'my-rollup', upstreams: [{ service: 'rollup-node' }] }
  expect(await changed(1, 'endpoints.create', endpoint)).toMatchObject({ name: 'rollup' })
  const used = 'it has 1 services and 1 endpoints'
  expect(await changed(1, 'chains.delete', { key: 'my-rollup' })).toContain(used)
  const otherFamily = { key: 'my-rollup', name: 'My rollup', family: 'near' }
  expect(await changed(1, 'chains.update', otherFamily)).toContain(used)
  expect(await changed(1, 'chains.update', { ...rollup, name: 'Our rollup', blockMs: 500 })).toEqual(done)
  await waitUntil(
    'the first process goes by the change',
    async () => (await chainAt(0, 'my-rollup'))?.['blockMs'] === 500,
  )

  await replicas.servers[0]?.stop()
  await replicas.restart(0)
  operators[0] = await signInAt(replicas.servers[0]?.url ?? '', wallet)
  expect(await chainAt(0, 'my-rollup')).toMatchObject({ name: 'Our rollup', services: 1, endpoints: 1 })
  const { data } = await at(0).query('services.list')
  expect(data).toEqual([
    expect.objectContaining({ id: 'rollup-node', chain: { key: 'my-rollup', name: 'Our rollup' } }),
  ])

  await at(0).mutate('endpoints.remove', { name: 'rollup' })
  await at(0).mutate('services.remove', { id: 'rollup-node' })
  await waitUntil('nothing is of it', async () => {
    const left = await chainAt(1, 'my-rollup')
    return left?.['services'] === 0 && left['endpoints'] === 0
  })
  expect(await changed(1, 'chains.delete', { key: 'my-rollup' })).toEqual(done)
  expect(await chainAt(1, 'my-rollup')).toBeUndefined()
  const log = await replicas.servers[1]?.operator.audit.list.query({ subjectKind: 'chain' })
  expect(log?.events.map(({ action }) => action)).toEqual(['chain.delete', 'chain.update', 'chain.create'])
})

test('while the file has mistakes a chain is kept, and said not to hold yet', async () => {
  const file = { verifiers: { builtIn: false } }
  const installation = await createTestInstallation(file)
  try {
    const { operator } = await installation.start()
    const isKnown = async (): Promise<boolean> =>
      (await operator.chains.list.query()).some(({ key }) => key === 'late')
    installation.writeFile('services: nonsense')
    const late = { key: 'late', name: 'Late', family: 'solana' } as const
    expect(await operator.chains.create.mutate(late)).toEqual({
      key: 'late',
      propagated: true,
      isActive: false,
    })
    expect(await isKnown()).toBe(false)
    installation.writeFile(file)
    await waitUntil('it holds', isKnown)
  } finally {
    await installation.remove()
  }
}, 60_000)
