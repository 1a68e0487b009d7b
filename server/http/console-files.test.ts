import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'

import { consolePages } from '../../shared/console-pages.ts'
import { type ByteLimit, createByteLimit } from './byte-limit.ts'
import { consoleFiles } from './console-files.ts'
import { keepFacts } from '../platform/http/request-facts.ts'

const page = '<!doctype html><title>Gatehouse</title>'
const large = '// large\n'.repeat(40_000)
const script = 'console.log(1)\n'.repeat(200)

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-console-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'assets/app-1a2b.js'), script)
  writeFileSync(join(folder, 'assets/other-5e6f.js'), script)
  writeFileSync(join(folder, 'assets/other-5e6f.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'assets/large-3c4d.js'), large)
  writeFileSync(join(folder, 'icon.png'), new Uint8Array([1, 2, 3]))
})

afterAll(() => rmSync(folder, { recursive: true }))

const unlimited = createByteLimit(Number.MAX_SAFE_INTEGER, () => 0)

function get(
  path: string,
  headers: Record<string, string> = {},
  reads: ByteLimit = unlimited,
): Promise<Response> {
  const request = new Request(`http://localhost${path}`, { headers })
  keepFacts(request, {
    requestId: 'a',
    route: path,
    caller: () => ({ address: '127.0.0.1', origin: null }),
    allowSeconds: () => undefined,
    upgrade: () => false,
  })
  return Promise.resolve(consoleFiles(folder, reads).handle(request))
}

test('every page of the console is the one HTML page, strict and never kept', async () => {
  for (const path of Object.values(consolePages)) {
    const answer = await get(path.replace(':serviceId', 'node-a'))
    expect(await answer.text()).toBe(page)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
  }
})

test('what has a hash in its name is kept for a year, in the form that the browser takes', async () => {
  const plain = await get('/assets/app-1a2b.js')
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('vary')).toBe('accept-encoding')
  expect(await plain.text()).toBe(script)

  const gzipped = await get('/assets/app-1a2b.js', { 'accept-encoding': 'br, gzip' })
  expect(gzipped.headers.get('content-encoding')).toBe('gzip')
  const bytes = new Uint8Array(await gzipped.arrayBuffer())
  expect(bytes.length).toBeLessThan(script.length / 10)
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(script)

  for (const refused of ['gzip;q=0', 'br', 'identity, *;q=0']) {
    const sent = await get('/assets/app-1a2b.js', { 'accept-encoding': refused })
    expect(sent.headers.get('content-encoding')).toBeNull()
    await sent.arrayBuffer()
  }
  const brotli = await get('/assets/other-5e6f.js', { 'accept-encoding': 'gzip, deflate, br, zstd' })
  expect(brotli.headers.get('content-encoding')).toBe('br')
  expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(script)
  const older = await get('/assets/other-5e6f.js', { 'accept-encoding': 'gzip, deflate' })
  expect(older.headers.get('content-encoding')).toBe('gzip')
  expect((await get('/assets/other-5e6f.js.br')).status).toBe(404)

  const image = await get('/icon.png', { 'accept-encoding': 'gzip' })
  expect(image.headers.has('content-encoding')).toBe(false)
  expect(image.headers.get('content-type')).toBe('image/png')
})

test('who has a file already is sent nothing', async () => {
  const etag = (await get('/assets/app-1a2b.js')).headers.get('etag') ?? ''
  const again = await get('/assets/app-1a2b.js', { 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const weakly = await get('/assets/app-1a2b.js', { 'if-none-match': `"other", W/${etag}` })
  expect(weakly.status).toBe(304)
  expect((await get('/assets/app-1a2b.js', { 'if-none-match': '"other"' })).status).toBe(200)
})

test('what is large goes out from the disk, with the same headers', async () => {
  const headers = await get('/assets/large-3c4d.js')
  expect(headers.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(headers.headers.get('etag')).toMatch(/^"\w+"$/)
  expect(await headers.text()).toBe(large)
})

test('an address that has read too much is told how long to wait; what it has already costs nothing', async () => {
  const reads = createByteLimit(large.length * 1.5, () => 0)
  const first = await get('/assets/large-3c4d.js', {}, reads)
  const second = await get('/assets/large-3c4d.js', {}, reads)
  expect(first.status).toBe(200)
  expect(await second.text()).toContain('; try again in 20 seconds')
  const known = { 'if-none-match': first.headers.get('etag') ?? '' }
  expect((await get('/assets/large-3c4d.js', known, reads)).status).toBe(304)
})

test('a file that is not there is not answered with the page', async () => {
  expect((await get('/assets/gone-9z.js')).status).toBe(404)
})

test('without a built console pages say what to do', async () => {
  const answer = consoleFiles(join(folder, 'nothing'), unlimited).handle(new Request('http://localhost/'))
  expect(await (await answer).text()).toContain('npm start builds it')
})
