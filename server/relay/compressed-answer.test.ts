import { afterAll, describe, expect, test } from 'bun:test'

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import { okAnswer, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { acceptedCoding } from '../platform/http/compressed-answer.ts'
import { startTestRelay } from './test-support/relay-under-test.ts'

describe('the coding of an answer', () => {
  test.each([
    // As clients ask: browsers and Bun, Node's fetch, Node's axios, Go, Python's requests.
    ['gzip, deflate, br, zstd', 'zstd'],
    ['br, gzip, deflate', 'br'],
    ['gzip, compress, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    // Weights.
    ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['GZIP ; Q=0.001', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'zstd'],
    ['*, zstd;q=0', 'br'],
    ['*;q=0.1, br;q=0.2', 'br'],
    ['gzip;q=1.5, br', 'br'],
    ['gzip;q=high', null],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.4, gzip;q=0.5', 'gzip'],
    ['deflate, compress', null],
    ['gzip;q=0', null],
    ['', null],
    [', ,', null],
  ])('%p: %p', (header, coding) => {
    expect<unknown>(acceptedCoding(header)).toEqual(coding === null ? null : { coding, isRequired: false })
  })

  test.each([
    ['identity;q=0, gzip', 'gzip'],
    ['*;q=0, br', 'br'],
    ['identity;q=0.000, *', 'zstd'],
  ])('%p: %p, and nothing that is plain', (header, coding) => {
    expect<unknown>(acceptedCoding(header)).toEqual({ coding, isRequired: true })
  })

  test('where a caller takes nothing that we have, the answer is plain', () => {
    expect(acceptedCoding('identity;q=0, deflate')).toBeNull()
    expect(acceptedCoding('*;q=0')).toBeNull()
  })
})

const results: Readonly<Record<string, string>> = {
  eth_blockNumber: '"0x14f3b2a"',
  eth_getCode: `"0x${'60806040'.repeat(500)}"`,
  eth_getLogs: JSON.stringify(
    Array.from({ length: 4_000 }, (_, index) => ({ index, ü: '0x'.padEnd(66, '0') })),
  ),
}
const node = startRawUpstream((request) => {
  const { id, method }: { id: number; method: string } = JSON.parse(request.body)
  request.write(okAnswer(`{"jsonrpc":"2.0","id":${id},"result":${results[method]}}`))
})
const relay = startTestRelay({ upstreams: [{ url: node.url }] })
afterAll(async () => {
  node.stop()
  await relay.stop()
})

const plain = (bytes: Uint8Array) => bytes
const decoders: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

async function ask(method: string, acceptEncoding: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(relay.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 'ä', method, params: [] }),
    headers: { 'accept-encoding': acceptEncoding, ...headers },
    decompress: false,
  })
  const sent = await response.bytes()
  const coding = response.headers.get('content-encoding')
  const text = Buffer.from((decoders[coding ?? ''] ?? plain)(sent)).toString()
  return { coding, vary: response.headers.get('vary'), bytes: sent.length, text, headers: response.headers }
}

const answerOf = (method: string): string => `{"jsonrpc":"2.0","id":"ä","result":${results[method]}}`

describe('an answer', () => {
  test.each(['eth_getCode', 'eth_getLogs'])('of %s is compressed as its caller takes it', async (method) => {
    for (const coding of Object.keys(decoders)) {
      const answer = await ask(method, coding)
      expect(answer).toMatchObject({ coding, vary: 'accept-encoding', text: answerOf(method) })
      expect(answer.bytes).toBeLessThan(answer.text.length / 5)
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    const asItIs = await ask(method, 'identity')
    expect(asItIs).toMatchObject({ coding: null, vary: 'accept-encoding', text: answerOf(method) })
    const page = await ask(method, 'gzip', { origin: 'https://app.example' })
    expect(page.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('that is short is plain, unless its caller takes nothing plain', async () => {
    const text = answerOf('eth_blockNumber')
    expect(await ask('eth_blockNumber', 'gzip, br, zstd')).toMatchObject({ coding: null, vary: null, text })
    expect(await ask('eth_blockNumber', 'gzip, *;q=0')).toMatchObject({
      coding: 'gzip',
      vary: 'accept-encoding',
      text,
    })
  })

  test('is counted as long as it is uncompressed', async () => {
    await ask('eth_getLogs', 'zstd')
    expect(relay.logged.at(-1)?.bytesOut).toBe(Buffer.byteLength(answerOf('eth_getLogs')))
  })
})
