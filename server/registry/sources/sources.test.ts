import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type TarEntry, packTar } from 'modern-tar'

import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { nextTurn } from '../../platform/turns.ts'
import { snapshotLimits } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'
import { filesOf } from '../test-support/small-registry.ts'
import { readArchive } from './archive.ts'
import { packFiles, unpackFiles } from './pack.ts'
import { readSource } from './read-source.ts'

const files = filesOf({ 'offers/apis': [{ slug: 'a' }], 'ethereum/apis': [{ slug: 'b', offer: '!offer:a' }] })
const sorted = (list: readonly SnapshotFile[]) =>
  list.toSorted((one, other) => (one.path < other.path ? -1 : 1))

const entry = (name: string, body: string): TarEntry => ({
  header: { name, size: Buffer.byteLength(body), type: 'file' },
  body,
})
const entriesUnder = (root: string): TarEntry[] =>
  files.map(({ path, text }) => entry(`${root}${path}`, text))
const archiveOf = async (entries: TarEntry[]): Promise<Uint8Array> => gzipSync(await packTar(entries))

const egress = createEgress({
  clock: systemClock,
  allowPrivate: ['127.0.0.0/8'],
  schemes: ['http'],
  streamLimits: { timeoutMs: 2_000, maxBytes: 1 << 20 },
})
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-registry-'))
})
afterAll(() => {
  egress.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = (source: string, etag: string | null = null) => readSource(source, egress.fetch, etag)
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'was read',
    (error: Error) => `${error.name}: ${error.message}`,
  )

function writeFiles(root: string, list: readonly SnapshotFile[]): void {
  for (const { path, text } of list) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

describe('a folder', () => {
  test('is read without what is no part of a registry, and without following links out of it', async () => {
    const root = join(folder, 'plain')
    writeFiles(root, [
      ...files,
      { path: 'README.md', text: 'x' },
      { path: 'references/logo.svg', text: '<svg/>' },
    ])
    writeFiles(join(folder, 'outside'), [{ path: 'secret.csv', text: 'slug\nsecret\n' }])
    symlinkSync(join(folder, 'outside', 'secret.csv'), join(root, 'references/offers/secret.csv'))
    symlinkSync(join(folder, 'outside'), join(root, 'listings/specific-networks/secret'))
    const reading = await read(root)
    expect(reading.kind === 'files' && sorted(reading.files)).toEqual(sorted(files))
  })

  test('is read without what macOS and Office put beside files', async () => {
    const root = join(folder, 'beside')
    writeFiles(root, files)
    for (const name of ['._apis.csv', '~$apis.csv'])
      writeFileSync(join(root, 'references/offers', name), new Uint8Array([0xe9, 0xff]))
    const reading = await read(root)
    expect(reading.kind === 'files' && sorted(reading.files)).toEqual(sorted(files))
  })

  test('that is changed while it is read is refused, for it may be half a registry', async () => {
    const root = join(folder, 'busy')
    writeFiles(root, files)
    const reading = { isOver: false }
    const refusal = refusalOf(read(root)).finally(() => void (reading.isOver = true))
    while (!reading.isOver) {
      appendFileSync(join(root, 'references/offers/apis.csv'), '\n')
      await nextTurn()
    }
    expect(await refusal).toBe('UnusableSnapshot: it was changed while it was read; wait until it is whole')
  })

  test('that is not there, or holds what is no text, is refused', async () => {
    expect(await refusalOf(read(join(folder, 'nowhere')))).toContain('there is no ')
    const root = join(folder, 'binary')
    writeFiles(root, files)
    writeFileSync(join(root, 'references/offers/apis.csv'), new Uint8Array([0xff, 0xfe, 0x00]))
    expect(await refusalOf(read(root))).toBe('UnusableSnapshot: references/offers/apis.csv: not UTF-8')
  })
})

describe('an archive', () => {
  test('is read with or without a folder around it, as repositories have', async () => {
    for (const root of ['', './', 'chain-registry-main/', 'a/b/']) {
      const other = entry(`${root}tests/meta/columns.json`, '{}')
      expect(sorted(await readArchive(await archiveOf([other, ...entriesUnder(root)])))).toEqual(
        sorted(files),
      )
    }
  })

  test('is read from a folder whose name ends like one of the registry', async () => {
    for (const root of ['our-registry-listings/', './chain-meta/', 'acme-references/main/']) {
      expect(sorted(await readArchive(await archiveOf(entriesUnder(root))))).toEqual(sorted(files))
    }
  })

  test('with a path that leads out of it is refused', async () => {
    for (const name of ['../references/offers/x.csv', '/meta/columns.json', 'a/../../meta/columns.json']) {
      expect(await refusalOf(readArchive(await archiveOf([entry(name, 'x')])))).toContain(
        'leads out of the archive',
      )
    }
  })

  test('has its links ignored', async () => {
    const link: TarEntry = {
      header: { name: 'references/offers/x.csv', size: 0, type: 'symlink', linkname: '/etc/passwd' },
    }
    expect(sorted(await readArchive(await archiveOf([link, ...entriesUnder('')])))).toEqual(sorted(files))
  })

  test('that unpacks to more than is allowed is refused, and takes no memory for it', async () => {
    const bomb = gzipSync(Buffer.alloc(snapshotLimits.totalBytes + (8 << 20)))
    expect(bomb.length).toBeLessThan(200_000)
    expect(await refusalOf(readArchive(bomb))).toContain('larger than 64 MB unpacked')
    const large = entry('references/offers/large.csv', 'x'.repeat(snapshotLimits.fileBytes + 1))
    expect(await refusalOf(readArchive(await archiveOf([large])))).toContain('is larger than 8 MB')
  })

  test('that is none, or cut short, is refused', async () => {
    expect(await refusalOf(readArchive(new TextEncoder().encode('no archive at all')))).toContain(
      'no .tar.gz',
    )
    const whole = await archiveOf(entriesUnder(''))
    expect(await refusalOf(readArchive(whole.slice(0, whole.length / 2)))).toContain('damaged')
  })

  test('is read from a file', async () => {
    const path = join(folder, 'registry.tar.gz')
    writeFileSync(path, await archiveOf(entriesUnder('x/')))
    const reading = await read(path)
    expect(reading.kind === 'files' && sorted(reading.files)).toEqual(sorted(files))
  })
})

async function served<T>(
  answer: (request: Request) => Response | Promise<Response>,
  use: (url: string) => Promise<T>,
) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  try {
    return await use(`http://127.0.0.1:${server.port}/registry.tar.gz`)
  } finally {
    await server.stop(true)
  }
}

const silent = () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }))

describe('an address', () => {
  test('is read, and asked only for what is new', async () => {
    const archive = await archiveOf(entriesUnder('x/'))
    await served(
      (request) =>
        request.headers.get('if-none-match') === '"one"'
          ? new Response(null, { status: 304 })
          : new Response(Buffer.from(archive), { headers: { etag: '"one"' } }),
      async (url) => {
        const first = await read(url)
        expect(first.kind === 'files' && [sorted(first.files), first.etag]).toEqual([sorted(files), '"one"'])
        expect(await read(url, '"one"')).toEqual({ kind: 'unchanged' })
      },
    )
  })

  test('that fails, leads elsewhere, or never ends is refused with what to do', async () => {
    const refusal = (answer: () => Response) => served(answer, (url) => refusalOf(read(url)))
    expect(await refusal(() => new Response('', { status: 503 }))).toContain('answered 503')
    expect(await refusal(() => Response.redirect('http://127.0.0.1/', 302))).toContain('codeload.github.com')
    expect(await refusal(() => new Response(new Uint8Array(2 << 20)))).toContain('larger than')
    expect(await refusal(silent)).toContain('TIMEOUT')
    expect(await refusalOf(read('http://10.0.0.1/x.tar.gz'))).toContain('GATEHOUSE_ALLOW_PRIVATE')
  }, 10_000)
})

test('packed files come back as they were; anything else is refused', async () => {
  expect(await unpackFiles(await packFiles(files))).toEqual(files)
  const wrong = [new Uint8Array(), new Uint8Array([1, 2, 3]), gzipSync('{"a":1}'), gzipSync('[{"path":1}]')]
  for (const content of wrong) expect(await refusalOf(unpackFiles(content))).toContain('UnusableSnapshot')
})
