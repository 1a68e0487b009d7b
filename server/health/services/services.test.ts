import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, silentLog, testDatabase, unrecorded } from '../../../scripts/world/database.ts'
import type { Chain } from '../../../shared/chains.ts'
import type { ServiceSpec } from '../../../shared/health.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { createVault } from '../../platform/vault.ts'
import { specOf, testChain } from '../test-support/fixtures.ts'
import { createVirtualClock } from '../test-support/virtual-clock.ts'
import { createServices } from './services.ts'
import { type CatalogueChange, createCatalogue } from './catalogue.ts'

let testbed: TestDatabase
const vault = createVault([randomBytes(32)])
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())

/** Services that the endpoint "main" of the relay sends calls to. */
const used = new Set<string>()
const endpointsUsing = (id: string) => (used.has(id) ? ['main'] : [])
/** Those of which "main" has a WebSocket address. */
const held = new Set<string>()
const endpointsOnHostOf = (id: string) => (held.has(id) ? ['main'] : [])
/** Those that the status page "public" of the file shows. */
const shown = new Set<string>()
const pagesShowing = (id: string) => (shown.has(id) ? ['public'] : [])
const refusalOf = async (endpoint: string) => (endpoint.includes('10.0.0.1') ? 'a private address' : null)

/** A server's services as after a start; `chains` may change later. */
async function start(at?: number) {
  const clock = createVirtualClock(at)
  const chains = new Map<string, Chain>([['testnet', testChain()]])
  const changes: string[] = []
  const onChanged = ({ put, removed }: CatalogueChange) => {
    if (put) changes.push(`+${put.service.id}`)
    if (removed) changes.push(`-${removed.service.id}`)
  }
  const findChain = (key: string) => chains.get(key)
  const catalogue = createCatalogue()
  const { database } = testbed
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const services = createServices(
    {
      database,
      replicas,
      vault,
      clock,
      catalogue,
      findChain,
      refusalOf,
      endpointsUsing,
      endpointsOnHostOf,
      pagesShowing,
    },
    {
      catalogueChanged: onChanged,
      assignmentsChanged() {},
      dropped: async () => {},
      removed: async () => {},
    },
  )
  await replicas.keySync.sync()

  async function activate(...specs: ServiceSpec[]) {
    const { services: checked, problems } = await services.checkFile(specs, findChain)
    expect(problems).toEqual([])
    services.applyFile(checked, [...chains.values()])
  }
  const listed = () => services.list().map(({ id, managedBy }) => `${id} of the ${managedBy}`)
  return { services, catalogue, chains, findChain, clock, changes, activate, listed }
}

let server: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  await testbed.database.run((sql) => sql`TRUNCATE services, maintenance_windows, nodes`)
  server = await start()
  used.clear()
  held.clear()
})

const problemsOf = async (...specs: ServiceSpec[]) =>
  (await server.services.checkFile(specs, server.findChain)).problems

describe('the file', () => {
  test('replaces its own services; those that stay keep their slot', async () => {
    await server.activate(specOf('a'), specOf('b'))
    const slot = server.catalogue.find('b')?.slot
    server.changes.length = 0
    await server.activate(specOf('b', { name: 'renamed' }), specOf('c'))
    expect(server.listed()).toEqual(['b of the file', 'c of the file'])
    expect(server.catalogue.find('b')).toMatchObject({ slot, service: { name: 'renamed' } })
    expect(server.changes).toEqual(['-a', '+b', '+c'])
  })

  test('needs no ids: the same entry is the same service', async () => {
    const spec = specOf('x', { id: undefined })
    await server.activate(spec)
    const [before] = server.services.list()
    await server.activate(spec)
    expect(server.services.list().map(({ id }) => id)).toEqual([before?.id ?? ''])
  })

  test('is checked as a whole, and a mistake is found at its entry and field', async () => {
    await server.services.add(specOf('theirs'), unrecorded)
    expect(
      await problemsOf(
        specOf('good'),
        specOf('lost', { chain: 'atlantis' }),
        specOf('good'),
        specOf('theirs'),
        specOf('inside', { endpoint: 'http://10.0.0.1/' }),
        specOf('anchor:testnet:0'),
      ),
    ).toMatchObject([
      { index: 1, field: 'chain' },
      { index: 2, field: 'id', message: 'used twice in this file' },
      { index: 3, field: 'id' },
      { index: 4, field: 'endpoint', message: 'a private address' },
      { index: 5, field: 'id' },
    ])
    expect(server.listed()).toEqual(['theirs of the operator'])
  })

  test('leaves services of operators alone', async () => {
    await server.services.add(specOf('theirs'), unrecorded)
    await server.activate(specOf('a'))
    await server.activate()
    expect(server.listed()).toEqual(['theirs of the operator'])
  })
})

const refused = async (): Promise<void> => {
  throw new RangeError('the log is full')
}

describe('an operator', () => {
  test('registers a service, which is there after a restart with all its fields', async () => {
    const spec = specOf('kept', { headers: { authorization: 'Bearer secret' }, policy: { enterBlocks: 3 } })
    const service = await server.services.add(spec, unrecorded)
    const again = await start()
    await again.activate()
    expect(again.services.list()).toEqual([service])
    const http = specOf('web', {
      chain: undefined,
      family: 'http',
      rule: { method: 'HEAD', statuses: [204], contains: 'x' },
    })
    const web = await again.services.add(http, unrecorded)
    const third = await start()
    await third.activate()
    expect(third.services.find('web').service).toEqual(web)
  })

  test('gets an id when none is given', async () => {
    const { id } = await server.services.add(specOf('x', { id: undefined }), unrecorded)
    expect(id).toStartWith('0x7270633a')
    expect(server.services.find(id).service.name).toBe('x')
  })

  test.each<[string, Partial<ServiceSpec>, string]>([
    ['a private endpoint', { endpoint: 'http://10.0.0.1/' }, 'endpoint: a private address'],
    ['an unknown chain', { chain: 'atlantis' }, 'chain: '],
    ['the id of an anchor', { id: 'anchor:testnet:0' }, 'id: '],
  ])('is refused %s, and nothing is stored', async (_, changes, message) => {
    const refusal = await server.services
      .add(specOf('x', changes), unrecorded)
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) })
    expect(await testbed.database.run((sql) => sql`SELECT id FROM services`)).toHaveLength(0)
  })

  test('cannot take the id of another service, of the file or not', async () => {
    await server.activate(specOf('a'))
    await server.services.add(specOf('b'), unrecorded)
    for (const id of ['a', 'b'])
      await expect(server.services.add(specOf(id), unrecorded)).rejects.toMatchObject({ code: 'conflict' })
    await expect(server.services.remove('a', unrecorded)).rejects.toMatchObject({ code: 'conflict' })
    await expect(server.services.remove('c', unrecorded)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('gets one id once, however many ask at the same time', async () => {
    const attempts = Array.from({ length: 10 }, (_, index) =>
      server.services.add(specOf('a', { name: `name ${index}` }), unrecorded),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [stored] = await testbed.database.run((sql) => sql<{ name: string }[]>`SELECT name FROM services`)
    expect(stored?.name).toBe(server.services.find('a').service.name)
  })

  test('removes what was registered, for good', async () => {
    await server.services.add(specOf('a'), unrecorded)
    await server.services.remove('a', unrecorded)
    expect(server.listed()).toEqual([])
    expect(server.changes).toEqual(['+a', '-a'])
    const again = await start()
    await again.activate()
    expect(again.listed()).toEqual([])
  })

  test('does not remove, or put on another chain, what an endpoint uses', async () => {
    server.chains.set('other', { ...testChain(), key: 'other' })
    await server.services.add(specOf('a'), unrecorded)
    used.add('a')
    const message = 'the endpoint "main" sends calls to this service: take it out there before you '
    await expect(server.services.remove('a', unrecorded)).rejects.toMatchObject({
      code: 'conflict',
      message: `${message}remove it`,
    })
    await expect(server.services.update({ id: 'a', chain: 'other' }, unrecorded)).rejects.toMatchObject({
      code: 'conflict',
      message: `${message}give it another chain`,
    })
    await server.services.update({ id: 'a', name: 'Another name', chain: 'testnet' }, unrecorded)
    used.clear()
    await server.services.update({ id: 'a', chain: 'other' }, unrecorded)
    await server.services.remove('a', unrecorded)
    expect(server.listed()).toEqual([])
  })

  test('does not remove what a status page of the file shows', async () => {
    await server.services.add(specOf('a'), unrecorded)
    shown.add('a')
    await expect(server.services.remove('a', unrecorded)).rejects.toMatchObject({
      code: 'conflict',
      message:
        'the status page "public" of the file shows this service: take it out there before you remove it',
    })
    shown.clear()
    await server.services.remove('a', unrecorded)
    expect(server.listed()).toEqual([])
  })

  test('does not move to another host what an endpoint has a WebSocket address of', async () => {
    await server.services.add(specOf('a', { endpoint: 'https://a.example/one' }), unrecorded)
    held.add('a')
    const moving = server.services.update({ id: 'a', endpoint: 'https://b.example/one' }, unrecorded)
    await expect(moving).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        'endpoint: the endpoint "main" of the file has a ws address on the host',
      ),
    })
    await server.services.update({ id: 'a', endpoint: 'http://a.example:8545/two' }, unrecorded)
    held.clear()
    await server.services.update({ id: 'a', endpoint: 'https://b.example/one' }, unrecorded)
  })

  test('changes what was registered, which keeps its slot and is there after a restart', async () => {
    await server.services.add(specOf('a', { headers: { 'x-api-key': 'one' } }), unrecorded)
    const slot = server.catalogue.find('a')?.slot
    await server.services.update({ id: 'a', name: 'renamed', policy: { enterBlocks: 7 } }, unrecorded)
    const again = await start()
    await again.activate()
    for (const { services } of [server, again]) {
      expect(services.find('a').service).toMatchObject({
        name: 'renamed',
        policy: { enterBlocks: 7 },
        provider: 'provider of a',
        headers: { 'x-api-key': 'one' },
      })
    }
    expect(server.catalogue.find('a')?.slot).toBe(slot)
  })

  test('changes one thing after another: none is lost, and nothing that is gone comes back', async () => {
    await server.services.add(specOf('a'), unrecorded)
    await Promise.all([
      server.services.update({ id: 'a', name: 'renamed' }, unrecorded),
      server.services.update({ id: 'a', provider: 'other' }, unrecorded),
    ])
    expect(server.services.find('a').service).toMatchObject({ name: 'renamed', provider: 'other' })
    const [removed, updated] = await Promise.allSettled([
      server.services.remove('a', unrecorded),
      server.services.update({ id: 'a', name: 'back' }, unrecorded),
    ])
    expect([removed.status, updated]).toMatchObject(['fulfilled', { reason: { code: 'not_found' } }])
    expect(await testbed.database.run((sql) => sql`SELECT id FROM services`)).toHaveLength(0)
  })

  test('changes nothing that the audit log does not take', async () => {
    await server.services.add(specOf('kept'), unrecorded)
    const changes = await Promise.allSettled([
      server.services.add(specOf('a'), refused),
      server.services.update({ id: 'kept', name: 'renamed' }, refused),
      server.services.remove('kept', refused),
      server.services.startMaintenance('kept', { until: null, note: '' }, refused),
    ])
    for (const change of changes) expect(change).toMatchObject({ reason: { message: 'the log is full' } })
    const again = await start()
    await again.activate()
    for (const { services, listed } of [server, again]) {
      expect(listed()).toEqual(['kept of the operator'])
      expect(services.find('kept').service.name).toBe('kept')
      expect(services.maintenance('kept')).toBeNull()
    }
  })

  test('loses no service to a chain that is gone for a while', async () => {
    await server.services.add(specOf('a'), unrecorded)
    server.chains.clear()
    await server.activate()
    expect(server.listed()).toEqual([])
    server.chains.set('testnet', testChain())
    await server.activate()
    expect(server.listed()).toEqual(['a of the operator'])
  })
})

test('endpoint and headers are sealed in the database', async () => {
  const secrets = ['hunter2', 'Bearer', 'authorization', 'node.example']
  const endpoint = 'https://user:hunter2@node.example/'
  await server.services.add(
    specOf('a', { endpoint, headers: { authorization: 'Bearer hunter2' } }),
    unrecorded,
  )
  const [row] = await testbed.database.run((sql) => sql`SELECT services::text AS text FROM services`)
  for (const secret of secrets) expect(row?.['text']).not.toContain(secret)
  expect(row?.['text']).toContain('provider of a')
})

test('a sealed address that was moved to another row is not opened', async () => {
  await server.services.add(specOf('a'), unrecorded)
  await testbed.database.run((sql) => sql`UPDATE services SET id = 'b'`)
  await expect(start()).rejects.toThrow()
})

describe('anchors', () => {
  const anchored = testChain({ anchors: [{ provider: 'p', endpoint: 'https://anchor.example/' }] })

  test('are watched and never shown', async () => {
    server.chains.set('testnet', anchored)
    await server.activate(specOf('a'))
    expect(server.listed()).toEqual(['a of the file'])
    expect(server.catalogue.find('anchor:testnet:0')).toMatchObject({ service: { isHidden: true } })
    expect(() => server.services.find('anchor:testnet:0')).toThrow('no service of this id')
    await expect(server.services.remove('anchor:testnet:0', unrecorded)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('go when the chain has none any more', async () => {
    server.chains.set('testnet', anchored)
    await server.activate()
    server.chains.set('testnet', testChain())
    await server.activate()
    expect(server.catalogue.size).toBe(0)
  })
})

const isIn = () => server.services.maintenance('a') !== null

describe('announced maintenance', () => {
  beforeEach(() => server.activate(specOf('a')))

  test('lasts until it is ended, over a restart', async () => {
    await server.services.startMaintenance('a', { until: null, note: 'new disks' }, unrecorded)
    server.clock.advance(1e9)
    expect(isIn()).toBe(true)
    const again = await start(server.clock.now())
    expect(again.services.maintenance('a')).toEqual({ until: null, note: 'new disks' })
    await server.services.endMaintenance('a', unrecorded)
    expect(isIn()).toBe(false)
    expect((await start(server.clock.now())).services.maintenance('a')).toBeNull()
  })

  test('is over at the announced end, which may be put off', async () => {
    const end = server.clock.now() + 1_000
    await server.services.startMaintenance('a', { until: end, note: '' }, unrecorded)
    const again = await start()
    for (const { services, clock } of [server, again]) {
      clock.set(end - 1)
      expect(services.maintenance('a')).not.toBeNull()
      clock.set(end)
      expect(services.maintenance('a')).toBeNull()
    }
    await server.services.startMaintenance('a', { until: end + 5_000, note: '' }, unrecorded)
    expect(isIn()).toBe(true)
  })

  test('needs a service, and an end that is to come', async () => {
    await expect(
      server.services.startMaintenance('b', { until: null, note: '' }, unrecorded),
    ).rejects.toMatchObject({ code: 'not_found' })
    const past = server.services.startMaintenance('a', { until: server.clock.now(), note: '' }, unrecorded)
    await expect(past).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(server.services.endMaintenance('b', unrecorded)).rejects.toMatchObject({ code: 'not_found' })
  })
})
