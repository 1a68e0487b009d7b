import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'

import { hourMs } from '../../shared/durations.ts'
import type { RegistrySection } from '../../shared/registry.ts'
import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import { createImportSync } from './import-sync.ts'
import { createRegistryStore } from './store.ts'
import { type Registry, createRegistry } from './registry.ts'
import { filesOf } from './test-support/small-registry.ts'
import { packFiles } from './sources/pack.ts'
import type { SnapshotFile } from './snapshot.ts'

let testbed: TestDatabase
beforeAll(async () => {
  testbed = await testDatabase()
})
const running: Registry[] = []
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-registry-'))
afterEach(async () => {
  for (const registry of running.splice(0)) await registry.stop()
  await testbed.database.run((sql) => sql`TRUNCATE registry_snapshots, registry_sources`)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await testbed?.drop()
})

const clock = { at: 1_800_000_000_000, now: () => clock.at }

const noFetch: EgressFetch = () => Promise.reject(new TypeError('nothing is fetched here'))

/** One process of the installation. */
async function start(log: Log = silentLog, fetchArchive: EgressFetch = noFetch): Promise<Registry> {
  const registry = await createRegistry({
    database: testbed.database,
    clock,
    log,
    world: {
      chainName: (key) => (key === 'ethereum' ? 'Ethereum' : undefined),
      services: { list: () => [], version: () => 0, decisionOf: () => 'UNKNOWN' },
      fetch: fetchArchive,
    },
  })
  registry.start()
  running.push(registry)
  return registry
}

const filesWith = (slug: string): SnapshotFile[] => filesOf({ 'ethereum/apis': [{ slug, provider: 'Acme' }] })
const unrecorded = async (): Promise<void> => undefined
const idsOf = (registry: Registry): string[] => {
  const answer = registry.search({ chain: 'ethereum', limit: 3 })
  return answer.ok ? answer.value.results.map(({ service_id: id }) => id) : []
}
const importFiles = async (registry: Registry, slug: string) =>
  registry.importPacked(`/somewhere/${slug}`, await packFiles(filesWith(slug)), unrecorded)

const failing = () => Promise.reject(new Error('the log is full'))

describe('the active registry', () => {
  test('is the product`s own at first', async () => {
    const registry = await start()
    expect(await registry.status()).toMatchObject({ origin: 'built-in', importedAt: null, source: null })
    expect(registry.discoverNetworks().total).toBeGreaterThanOrEqual(55)
  })

  test('is what was imported: here at once, in other processes soon, and after a restart', async () => {
    const [one, other] = [await start(), await start()]
    const report = await importFiles(one, 'first')
    expect(report).toMatchObject({ counts: { networks: 1, rows: 1 }, problems: [] })
    expect(idsOf(one)).toEqual(['apis:first'])
    await other.sync()
    expect(idsOf(other)).toEqual(['apis:first'])
    const later = await start()
    expect(idsOf(later)).toEqual(['apis:first'])
    expect(await later.status()).toMatchObject({
      origin: '/somewhere/first',
      importedAt: clock.at,
      version: report.version,
    })
    expect(one.discoverNetworks().networks[0]?.name).toBe('Ethereum')
  })

  test('the last three imports are kept, the newest of them active', async () => {
    const registry = await start()
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await importFiles(registry, slug)
    expect(idsOf(registry)).toEqual(['apis:e'])
    const kept = await testbed.database.run((sql) => sql`SELECT source FROM registry_snapshots ORDER BY id`)
    expect(kept.map(({ source }) => source)).toEqual(['/somewhere/c', '/somewhere/d', '/somewhere/e'])
  })

  test('of imports at the same time one wins, everywhere the same', async () => {
    const [one, other] = [await start(), await start()]
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((slug, place) => importFiles(place % 2 === 0 ? one : other, slug)),
    )
    await Promise.all([one.sync(), other.sync()])
    expect(idsOf(one)).toEqual(idsOf(other))
  })

  test('an import that cannot be used changes nothing; neither does one whose record fails', async () => {
    const registry = await start()
    await importFiles(registry, 'good')
    expect(registry.importPacked('x', new Uint8Array([1, 2]), unrecorded)).rejects.toThrow('damaged')
    const empty = await packFiles([])
    expect(registry.importPacked('x', empty, unrecorded)).rejects.toThrow('no meta/columns.json')
    const content = await packFiles(filesWith('unrecorded'))
    expect(registry.importPacked('x', content, failing)).rejects.toThrow('the log is full')
    await registry.sync()
    expect(idsOf(registry)).toEqual(['apis:good'])
  })

  test('a stored registry that cannot be read any more leaves the last good one, with an error in the log', async () => {
    const errors: unknown[] = []
    const registry = await start({ ...silentLog, error: (text) => void errors.push(text) })
    await importFiles(registry, 'good')
    await testbed.database.run(
      (sql) => sql`INSERT INTO registry_snapshots (id, version, source, rows, content, imported_at)
        VALUES (99, 'x', 'x', 1, ${new Uint8Array([1])}::bytea, now())`,
    )
    await registry.sync()
    expect(idsOf(registry)).toEqual(['apis:good'])
    expect(errors).toHaveLength(1)
  })

  test('that cannot be made active for whatever reason keeps no process from starting', async () => {
    await importFiles(await start(), 'good')
    const errors: unknown[] = []
    const follower = createImportSync({
      database: testbed.database,
      store: createRegistryStore(testbed.database),
      log: { ...silentLog, error: (text) => void errors.push(text) },
      apply: () => Promise.reject(new RangeError('Out of memory')),
    })
    await follower.load()
    expect(errors).toEqual(['an imported registry cannot be used; the previous one stays active'])
  })

  test('is answered from while another one is imported', async () => {
    const registry = await start()
    const importing = importFiles(registry, 'new')
    let answered = 0
    const asking = setInterval(() => {
      if (registry.search({ query: 'rpc' }).ok) answered++
    }, 1)
    await importing
    clearInterval(asking)
    expect(answered).toBeGreaterThan(0)
  })
})

const section = (source: string): RegistrySection => ({ source, refreshHours: 2, links: [] })

/** One process, which has looked at the source of the file. */
async function startWith(ofFile: RegistrySection): Promise<Registry> {
  const registry = await start()
  registry.applyFile(ofFile)
  await registry.refresh()
  return registry
}

const count = async () =>
  (await testbed.database.run((sql) => sql`SELECT count(*)::int AS count FROM registry_snapshots`))[0]?.[
    'count'
  ]

const tarOf = (files: readonly SnapshotFile[]) =>
  packTar(
    files.map(({ path, text }) => ({
      header: { name: path, size: Buffer.byteLength(text), type: 'file' as const },
      body: text,
    })),
  )
const archiveWith = async (slug: string) => gzipSync(await tarOf(filesWith(slug)))

describe('the source of the file', () => {
  const archive = join(folder, 'registry.tar.gz')
  const publish = async (slug: string) => writeFileSync(archive, await archiveWith(slug))

  test('is looked at before its time when somebody asks for it', async () => {
    await publish('first')
    const registry = await startWith(section(archive))
    await publish('second')
    await registry.refreshAtOnce()
    expect(idsOf(registry)).toEqual(['apis:second'])
  })

  test('is imported, looked at again after its hours, and by one process only', async () => {
    await publish('first')
    const [one, other] = [await start(), await start()]
    for (const registry of [one, other]) registry.applyFile(section(archive))
    await Promise.all([one.refresh(), other.refresh()])
    await Promise.all([one.sync(), other.sync()])
    expect([idsOf(one), idsOf(other)]).toEqual([['apis:first'], ['apis:first']])
    expect(await count()).toBe(1)

    await publish('second')
    clock.at += hourMs
    await one.refresh()
    expect(idsOf(one)).toEqual(['apis:first'])
    clock.at += hourMs
    await one.refresh()
    expect(idsOf(one)).toEqual(['apis:second'])
    clock.at += 2 * hourMs
    await one.refresh()
    expect(await count()).toBe(2) // nothing new
    expect(await one.status()).toMatchObject({
      source: { address: archive, nextCheckAt: clock.at + 2 * hourMs, problem: null },
    })
  })

  test('that fails leaves the last good one, says why, and is tried again soon', async () => {
    await publish('good')
    const registry = await startWith(section(archive))
    writeFileSync(archive, 'no archive')
    clock.at += 2 * hourMs
    await registry.refresh()
    expect(idsOf(registry)).toEqual(['apis:good'])
    expect((await registry.status()).source?.problem).toContain('no .tar.gz')
    await publish('better')
    clock.at += hourMs / 10
    await registry.refresh()
    expect(idsOf(registry)).toEqual(['apis:better'])
    expect((await registry.status()).source?.problem).toBeNull()
  })

  test('is due by the interval of now, whatever was planned at another one or by a clock that was ahead', async () => {
    await publish('first')
    const registry = await startWith({ ...section(archive), refreshHours: 720 })
    await publish('second')
    registry.applyFile(section(archive))
    await registry.refresh()
    expect(idsOf(registry)).toEqual(['apis:second'])
  })

  test('is back when somebody asks for it after another import', async () => {
    await publish('of-source')
    const registry = await startWith(section(archive))
    await registry.refreshAtOnce()
    expect(await count()).toBe(1) // nothing new
    await importFiles(registry, 'by-hand')
    await registry.refreshAtOnce()
    expect(idsOf(registry)).toEqual(['apis:of-source'])
  })

  test('that has lost most of its rows is not taken by itself, only by hand', async () => {
    const place = join(folder, 'half.tar.gz')
    const rows = ['a', 'b', 'c'].map((slug) => ({ slug, provider: 'Acme' }))
    const whole = filesOf({ 'ethereum/apis': rows })
    const publishFiles = async (files: readonly SnapshotFile[]) =>
      writeFileSync(place, gzipSync(await tarOf(files)))
    await publishFiles(whole)
    const registry = await startWith(section(place))
    await publishFiles(filesWith('a'))
    clock.at += 2 * hourMs
    await registry.refresh()
    expect(idsOf(registry)).toHaveLength(3)
    expect((await registry.status()).source?.problem).toContain('less than half')
    await registry.importSource(place, false, unrecorded)
    expect(idsOf(registry)).toEqual(['apis:a'])
  })

  test('does not undo a later import while it has nothing new', async () => {
    await publish('of-source')
    const registry = await startWith(section(archive))
    await importFiles(registry, 'by-hand')
    clock.at += 2 * hourMs
    await registry.refresh()
    expect(idsOf(registry)).toEqual(['apis:by-hand'])
    const later = await start()
    later.applyFile(section(archive))
    await later.refresh()
    expect(idsOf(later)).toEqual(['apis:by-hand'])
  })

  test('that is changed back is imported again, at once and by one process, also when that is seen at a start', async () => {
    const site = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const slug = new URL(request.url).pathname.slice(1)
        const headers = { etag: `"${slug}"` }
        return request.headers.get('if-none-match') === headers.etag
          ? new Response(null, { status: 304, headers })
          : new Response(await archiveWith(slug), { headers })
      },
    })
    const at = (slug: string) => section(`http://127.0.0.1:${site.port}/${slug}`)
    const two = [await start(silentLog, fetch), await start(silentLog, fetch)]
    for (const slug of ['a', 'b', 'a', 'b']) {
      clock.at += hourMs / 10
      for (const registry of two) registry.applyFile(at(slug))
      await Promise.all(two.map((registry) => registry.refresh()))
      await Promise.all(two.map((registry) => registry.sync()))
      expect(two.map(idsOf)).toEqual([[`apis:${slug}`], [`apis:${slug}`]])
    }
    const ids = await testbed.database.run(
      (sql) => sql`SELECT max(id)::int AS newest FROM registry_snapshots`,
    )
    expect(ids[0]?.['newest']).toBe(4)

    for (const slug of ['a', 'a', 'b']) {
      const later = await start(silentLog, fetch)
      later.applyFile(at(slug))
      await later.refresh()
      expect(idsOf(later)).toEqual([`apis:${slug}`])
    }
    await site.stop(true)
  })
})
