import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { EndpointSpec } from '../../shared/endpoints.ts'
import { type TestDatabase, silentLog, testDatabase, unrecorded } from '../../scripts/world/database.ts'
import { openDatabase } from '../platform/database.ts'
import { type TestEndpoints, type TestWorld, createTestWorld } from './test-support/endpoints-under-test.ts'
import { covers } from '../../tests/support/covers.ts'

let testbed: TestDatabase
let world: TestWorld
let endpoints: TestEndpoints
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())
beforeEach(async () => {
  await testbed.database.run((sql) => sql`TRUNCATE endpoints`)
  world = createTestWorld()
  world.putService('node-a')
  endpoints = await world.start(testbed.database)
})
afterEach(() => endpoints.stop())

const specOf = (name: string, more: Partial<EndpointSpec> = {}): EndpointSpec => ({
  name,
  chain: 'testnet',
  upstreams: [{ service: 'node-a', weight: 1 }],
  methods: { allow: [], deny: ['debug_*'], unknown: 'refuse' },
  settings: { byMethod: {} },
  credits: { eth_call: 5 },
  ...more,
})
const failing = () => Promise.reject(new Error('the log is full'))
const removal = () => endpoints.management.remove('testnet', unrecorded)
const create = (name: string, more: Partial<EndpointSpec> = {}) =>
  endpoints.management.create(specOf(name, more), unrecorded)

describe('an endpoint of the file', () => {
  test('is found with its upstreams, methods and prices', async () => {
    await endpoints.apply({ endpoints: [specOf('testnet')], creditPrices: { default: 3, eth_call: 26 } })
    const endpoint = endpoints.find('testnet')
    expect(endpoint).toMatchObject({ name: 'testnet', family: 'evm', chain: { key: 'testnet' } })
    expect(endpoint?.upstreams.map(({ id, serviceId }) => [id, serviceId])).toEqual([['node-a', 'node-a']])
    expect(endpoint?.methods).toEqual({ allow: [], deny: ['debug_*'], unknown: 'refuse' })
    expect([endpoint?.priceOf('eth_call'), endpoint?.priceOf('eth_chainId')]).toEqual([5, 3])
    expect(endpoints.names()).toEqual(['testnet'])
    expect(endpoints.find('other')).toBeUndefined()
  })

  test('keeps its identity as long as nothing of it changes, and the version of its prices with them', async () => {
    await endpoints.apply({ endpoints: [specOf('testnet')] })
    const before = endpoints.find('testnet')
    world.putService('node-b')
    await endpoints.apply({ endpoints: [specOf('testnet'), specOf('more')] })
    expect(endpoints.find('testnet')).toBe(before)
    await endpoints.apply({
      endpoints: [specOf('testnet', { methods: { allow: [], deny: [], unknown: 'refuse' } })],
    })
    expect(endpoints.find('testnet')).not.toBe(before)
    expect(endpoints.find('testnet')?.pricesVersion).toBe(before?.pricesVersion ?? '')
    await endpoints.apply({ endpoints: [specOf('testnet')], creditPrices: { default: 1 } })
    expect(endpoints.find('testnet')?.pricesVersion).not.toBe(before?.pricesVersion ?? '')
  })

  test('is changed in the file only', async () => {
    await endpoints.apply({ endpoints: [specOf('testnet')] })
    const conflict = { code: 'conflict' }
    await expect(create('testnet')).rejects.toMatchObject(conflict)
    await expect(endpoints.management.remove('testnet', unrecorded)).rejects.toMatchObject(conflict)
    const change = { name: 'testnet', revision: 'any' }
    await expect(endpoints.management.update(change, unrecorded)).rejects.toMatchObject(conflict)
    expect(endpoints.management.details('testnet')).toMatchObject({ managedBy: 'file', revision: null })
  })

  test('hides that of the console of its name, says so, and gives it back', async () => {
    await create('testnet')
    await endpoints.apply({ endpoints: [specOf('testnet', { credits: { eth_call: 9 } })] })
    expect(endpoints.find('testnet')?.priceOf('eth_call')).toBe(9)
    expect(world.warnings).toEqual(['an endpoint of the file hides that of the console'])
    expect(endpoints.management.list().map(({ managedBy }) => managedBy)).toEqual(['file'])
    await endpoints.apply({ endpoints: [] })
    expect(endpoints.find('testnet')?.priceOf('eth_call')).toBe(5)
  })
})

describe('the file says', () => {
  test('which kinds of keys there are; freeRPC where it says nothing', async () => {
    covers('query-key-known-types')
    expect(endpoints.keyTypes()).toEqual(['freeRPC'])
    await endpoints.apply({ queryKeyTypes: ['freeRPC', 'growthRPC'] })
    expect(endpoints.management.choices().keyTypes).toEqual(['freeRPC', 'growthRPC'])
  })

  test('which limits a key has of which none is given; none where it says nothing', async () => {
    expect(endpoints.defaultLimits()).toEqual({ rate: null, credits: null })
    await endpoints.apply({ queryKeyDefaults: { rateLimit: 10, rateLimitPeriod: 'minute' } })
    expect(endpoints.defaultLimits()).toEqual({ rate: { units: 10, period: 'minute' }, credits: null })
  })
})

describe('a service behind an endpoint', () => {
  test('that is removed is out, the endpoint says so, and it comes back', async () => {
    world.putService('node-b')
    await create('testnet', { upstreams: ['node-a', 'node-b'].map((service) => ({ service, weight: 1 })) })
    world.decisions.set('node-b', 'UP')
    world.removeService('node-a')
    expect(endpoints.find('testnet')?.upstreams.map(({ id }) => id)).toEqual(['node-b'])
    const [line] = endpoints.management.list()
    expect(line?.problem).toBe('One upstream is not used')
    expect(line?.upstreams).toMatchObject([
      { id: 'node-a', host: null, outBecause: 'the service node-a is not registered' },
      { id: 'node-b', host: 'node-b.example', outBecause: null, decision: 'UP' },
    ])
    world.removeService('node-b')
    expect(endpoints.management.list()[0]?.problem).toBe('No upstream can be used, so that every call fails')
    world.putService('node-a', { endpoint: 'https://moved.example/' })
    expect(endpoints.find('testnet')?.upstreams).toMatchObject([{ url: 'https://moved.example/' }])
  })
})

const healthNow = () => endpoints.management.choices().endpoints[0]?.health

test('everybody sees how many upstreams of an endpoint are DOWN, or late', async () => {
  for (const id of ['node-b', 'node-c']) world.putService(id)
  const upstreams = ['node-a', 'node-b', 'node-c'].map((service) => ({ service, weight: 1 }))
  await create('testnet', { upstreams: [...upstreams, { url: 'https://other.example/', weight: 1 }] })
  for (const id of ['node-a', 'node-b', 'node-c']) world.decisions.set(id, 'UP')
  expect(healthNow()).toEqual({ upstreams: 4, down: 0, late: 0 })
  world.decisions.set('node-a', 'DOWN').set('node-b', 'LATENCY').set('node-c', 'UNKNOWN')
  expect(healthNow()).toEqual({ upstreams: 4, down: 1, late: 1 })
  world.removeService('node-c')
  expect(healthNow()).toEqual({ upstreams: 4, down: 2, late: 1 })
})

describe('an endpoint of the console', () => {
  test('is made, changed and removed; each change is recorded in its transaction', async () => {
    const recorded: unknown[] = []
    const record = async (_: unknown, { before, after }: { before: unknown; after: unknown }) =>
      void recorded.push([before, after])
    const made = await endpoints.management.create(specOf('testnet'), record)
    expect(made).toMatchObject({ managedBy: 'operator', url: 'https://gate.example/rpc/testnet/{key}' })
    expect(made.webSocketUrl).toBe('wss://gate.example/rpc/testnet/{key}')
    const change = { name: 'testnet', revision: made.revision ?? '', credits: {} }
    const changed = await endpoints.management.update(change, record)
    expect(changed.credits).toEqual({})
    await endpoints.management.remove('testnet', record)
    expect(endpoints.names()).toEqual([])
    const after = specOf('testnet', { credits: {} })
    expect(recorded).toEqual([
      [null, specOf('testnet')],
      [specOf('testnet'), after],
      [after, null],
    ])
  })

  test('is not changed when the change cannot be recorded', async () => {
    const made = await create('kept')
    const update = endpoints.management.update(
      { name: 'kept', revision: made.revision ?? '', credits: {} },
      failing,
    )
    await expect(update).rejects.toThrow('the log is full')
    await expect(endpoints.management.create(specOf('new'), failing)).rejects.toThrow('the log is full')
    await expect(endpoints.management.remove('kept', failing)).rejects.toThrow('the log is full')
    const again = await world.start(testbed.database)
    for (const { names, find } of [endpoints, again]) {
      expect(names()).toEqual(['kept'])
      expect(find('kept')?.priceOf('eth_call')).toBe(5)
    }
    await again.stop()
  })

  test('is refused with the field that is wrong', async () => {
    const upstreams = [{ url: 'http://10.0.0.1/', ws: 'ws://10.0.0.1/', weight: 1 }]
    await expect(create('testnet', { upstreams })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'upstreams[0].url: a private address; upstreams[0].ws: a private address',
      fields: [{ path: ['upstreams', 0, 'url'] }, { path: ['upstreams', 0, 'ws'] }],
    })
    await expect(create('testnet', { chain: 'nowhere' })).rejects.toMatchObject({
      fields: [{ path: ['chain'] }],
    })
  })

  test('is one of its name, and changed by one person at a time', async () => {
    const { revision } = await create('testnet')
    await expect(create('testnet')).rejects.toMatchObject({ code: 'conflict' })
    const change = { name: 'testnet', revision: revision ?? '', credits: {} }
    await endpoints.management.update(change, unrecorded)
    await expect(endpoints.management.update(change, unrecorded)).rejects.toThrow(
      'changed this endpoint meanwhile',
    )
    await expect(endpoints.management.update({ ...change, name: 'gone' }, unrecorded)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('stays as long as query keys use it, and says how many they are', async () => {
    await create('testnet')
    world.keys = 2
    expect(await endpoints.management.keyCount('testnet')).toBe(2)
    await expect(removal()).rejects.toThrow('2 query keys use this endpoint: delete them first')
    world.keys = 0
    expect(await endpoints.management.keyCount('testnet')).toBe(0)
    await removal()
    expect(() => endpoints.management.keyCount('testnet')).toThrow('there is no such endpoint')
    await expect(removal()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is not lost with its chain', async () => {
    await create('testnet')
    world.chains.clear()
    const again = await world.start(testbed.database)
    expect(again.find('testnet')).toMatchObject({
      chain: undefined,
      family: 'evm',
      upstreams: [{ id: 'node-a' }],
    })
    expect(again.management.list()[0]?.problem).toBe('The chain testnet is not described any more')
    await again.stop()
  })

  test('is sealed in the database, and not opened where it was moved to another row', async () => {
    const secrets = ['hunter2', 'node.example', 'X-Key', 'secret']
    const url = 'https://user:hunter2@node.example/secret'
    await create('testnet', { upstreams: [{ url, headers: { 'X-Key': 'secret' }, weight: 1 }] })
    const [row] = await testbed.database.run((sql) => sql`SELECT endpoints::text AS text FROM endpoints`)
    for (const secret of secrets) expect(row?.['text']).not.toContain(secret)
    expect(row?.['text']).toContain('debug_*')
    await testbed.database.run((sql) => sql`UPDATE endpoints SET name = 'moved', revision = 'new'`)
    await expect(world.start(testbed.database)).rejects.toThrow()
  })
})

describe('in another process', () => {
  test('a change is known within 2 s, with notifications and without', async () => {
    const database = await openDatabase({
      url: testbed.url,
      dataDir: '',
      log: silentLog,
      migrationsFolder: 'server/migrations',
    })
    const other = await world.start(database)
    try {
      const knows = (...names: string[]) =>
        waitUntil(`it knows ${names.join(', ')}`, () => Bun.deepEquals(other.names(), names), 2_000)
      await create('told')
      await knows('told')
      await testbed.database.run((sql) => sql`UPDATE endpoints SET chain = 'gone', revision = 'new'`)
      await waitUntil('it knows the change', () => other.find('told')?.chain === undefined, 2_000)
      await testbed.database.run((sql) => sql`DELETE FROM endpoints`)
      await knows()
    } finally {
      await other.stop()
      await database.close()
    }
  }, 20_000)
})
