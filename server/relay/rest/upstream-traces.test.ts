import { describe, expect, test } from 'bun:test'

import type { Upstream } from '../../endpoints/endpoints.ts'
import { covers } from '../../../tests/support/covers.ts'
import { tracesOf } from './upstream-traces.ts'

const own = 'https://gate.example/rpc/stellar/gqk_1'
const keyed = 'https://horizon.example:8443/v3/PATHSECRET777/?apikey=SECRET99999'

function upstreamOf(url: string, headers: Upstream['headers'] = {}): Upstream {
  const rest = { webSocketUrl: null, weight: 1, tier: 0, budget: null, compression: false, serviceId: null }
  return { id: 'one', identity: 'one', url, headers, ...rest } as Upstream
}

/** What comes of an answer; the bytes themselves where nothing is replaced. */
function seen(url: string, text: string, { status = 200, type = 'application/json', headers = {} } = {}) {
  const body = new TextEncoder().encode(text)
  const bytes = tracesOf(upstreamOf(url, headers)).removeFrom({ status, type, body }, () => own)
  return bytes === body ? 'as it was' : new TextDecoder().decode(bytes)
}

describe('a link to the upstream becomes one to the endpoint', () => {
  covers('threat-19')
  const there = 'https://horizon.example:8443/v3/PATHSECRET777'

  test.each([
    [`"${there}/ledgers?apikey=SECRET99999&limit=2"`, `"${own}/ledgers?limit=2"`],
    [`"${there}/ledgers?limit=2&apikey=SECRET99999&cursor=5"`, `"${own}/ledgers?limit=2&cursor=5"`],
    [`"${there}/ledgers?apikey=SECRET99999"`, `"${own}/ledgers"`],
    [`"${there}/ledgers?APIKEY=SECRET99999#top"`, `"${own}/ledgers#top"`],
    [`"${there}/accounts/{id}{?signer}"`, `"${own}/accounts/{id}{?signer}"`],
    [`"${there}/"`, `"${own}/"`],
    ['"http://horizon.example:8443/ledgers"', `"${own}/ledgers"`],
    [
      '"HTTPS://Horizon.Example:8443/v3/PATHSECRET777/a or https://horizon.example:8443"',
      `"${own}/a or ${own}"`,
    ],
    ['"/v3/PATHSECRET777/ledgers?limit=2"', '"/rpc/stellar/gqk_1/ledgers?limit=2"'],
    // Go writes & so in JSON, Gson = as well, and PHP the slashes.
    [String.raw`"${there}/a?apikey=SECRET99999\u0026limit=2"`, `"${own}/a?limit=2"`],
    [String.raw`"${there}/a?limit\u003d2\u0026apikey\u003dSECRET99999"`, String.raw`"${own}/a?limit\u003d2"`],
    [`"${there.replaceAll('/', '\\/')}\\/ledgers?apikey=SECRET99999&limit=2"`, `"${own}\\/ledgers?limit=2"`],
    [`<a href="${there}/a?apikey=SECRET99999&amp;limit=2">`, `<a href="${own}/a?limit=2">`],
    [
      `"https://sign.example/?to=${encodeURIComponent(`${there}/a?apikey=SECRET99999&limit=2`)}"`,
      `"https://sign.example/?to=${encodeURIComponent(`${own}/a?limit=2`)}"`,
    ],
    [`"${there}/a?to=${there}/b"`, `"${own}/a?to=${own}/b"`],
  ])('%s', (text, expected) => {
    expect(seen(keyed, text)).toBe(expected)
    expect(seen(keyed, text, { status: 404, type: 'text/plain' })).not.toMatch(/horizon\.example|SECRET/i)
  })

  test('with the port that the scheme stands for, and where an error quotes it', () => {
    const url = 'https://node.example/planted-key-01'
    expect(seen(url, '"http://node.example:80/planted-key-01/a"')).toBe(`"${own}/a"`)
    const error = '{"message":"no https://node.example/planted-key-01/a for planted-key-01"}'
    expect(seen(url, error, { status: 400 })).toBe(`{"message":"no ${own}/a for …"}`)
  })

  test('whose own address is on the same machine', () => {
    const address = 'http://127.0.0.1:3000/rpc/a/gqk_1'
    const body = new TextEncoder().encode('{"a":"http://127.0.0.1:8000/x of 127.0.0.1:8000"}')
    for (const [status, rest] of [
      [200, '…'],
      [500, '…'],
    ] as const) {
      const traces = tracesOf(upstreamOf('http://127.0.0.1:8000'))
      const bytes = traces.removeFrom({ status, type: 'application/json', body }, () => address)
      expect(new TextDecoder().decode(bytes)).toBe(`{"a":"${address}/x of ${rest}"}`)
    }
  })
})

describe('what is secret becomes … in a result', () => {
  test.each([
    ['"project PATHSECRET777 (SECRET99999)"', '"project … (…)"'],
    ['"key:\\nSECRET99999"', '"key:\\n…"'],
    ['"https://other.example/x?apikey=SECRET99999&a=1"', '"https://other.example/x?apikey=…&a=1"'],
    ['"dial tcp horizon.example:8443: refused"', '"dial tcp …: refused"'],
    ['"ws://horizon.example:8443 of horizon.example"', '"ws://… of …"'],
    ['"Bearer header-secret1 and abc/def+gh12="', '"… and …"'],
    [String.raw`"abc\/def+gh12\u003d"`, '"…"'],
  ])('%s', (text, expected) => {
    const headers = {
      authorization: 'Bearer header-secret1',
      'x-key': 'abc/def+gh12=',
      accept: 'application/json',
    }
    expect(seen(keyed, text, { headers })).toBe(expected)
  })

  test.each([
    [keyed, '{"ledger":"https://stellar.example/v3/","type":"application/json"}'],
    [keyed, '"http://horizon.example.org:8443/a"'],
    [keyed, '"a0SECRET999990"'],
    ['http://lighthouse:5052', '{"version":"Lighthouse/v0.1.5","id":"lighthouse"}'],
    ['http://127.0.0.1:26657', '{"rpc":"tcp://127.0.0.1:26656","also":"127.0.0.1"}'],
    [
      'https://lcd.example/cosmoshub-4/blockchain/11155111',
      '{"chain":"cosmoshub-4","b":"blockchain","n":11155111}',
    ],
    ['http://10.0.0.5:1317', '{"peer":"110.0.0.55"}'],
  ])('at %s words of the chain stay: %s', (url, text) => {
    expect(seen(url, text)).toBe('as it was')
  })

  test('a host of one word is replaced where it can be nothing else', () => {
    expect(seen('http://lcd:1317', '"tcp://lcd:1317, lcd"')).toBe('"tcp://…, lcd"')
    expect(seen('http://lcd', '"http://lcd/x, ws://lcd/y, lcd"')).toBe(`"${own}/x, ws://…/y, lcd"`)
  })
})

test('bytes are left alone, and what has no type is text if it looks like it', () => {
  const text = '"https://horizon.example:8443/a"'
  for (const type of ['application/x-protobuf', 'image/png'])
    expect(seen(keyed, text, { type })).toBe('as it was')
  expect(seen(keyed, text, { type: 'application/octet-stream' })).toBe(`"${own}/a"`)
  expect(seen(keyed, `\u0000${text}`, { type: 'application/octet-stream' })).toBe('as it was')
  expect(seen(keyed, text, { type: 'application/hal+json; charset=utf-8' })).toBe(`"${own}/a"`)
})

test('an answer of 1 MB is looked through in no time, with links and without', () => {
  const link = '{"href":"https://horizon.example:8443/v3/PATHSECRET777/a?apikey=SECRET99999&limit=2"},'
  for (const text of ['{"hash":"0123456789abcdef"},', link, String.raw`\/`, '?&=%2F']) {
    const from = performance.now()
    seen(keyed, `${text.repeat(1_000_000 / text.length)}horizon.example`)
    expect(performance.now() - from).toBeLessThan(5_000)
  }
})
