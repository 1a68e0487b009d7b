import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { callerOrigin, clientAddress, isTrustedPeer, parseTrustedProxies } from './caller.ts'

describe('client address', () => {
  const trusted = parseTrustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'])

  const cases: [peer: string | null, forwardedFor: string | null, expected: string | null][] = [
    ['198.51.100.7', null, '198.51.100.7'],
    ['198.51.100.7', '1.2.3.4', '198.51.100.7'], // not a proxy of ours: its word is worth nothing
    ['127.0.0.1', null, '127.0.0.1'],
    ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '1.2.3.4, 198.51.100.7', '198.51.100.7'], // the left hop is the client's own claim
    ['127.0.0.1', '1.2.3.4, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '198.51.100.7:52814', '198.51.100.7'],
    ['127.0.0.1', '[2001:db8::7]:443', '2001:db8::7'],
    ['2001:db8:1::5', '2001:DB8:0:0::7', '2001:db8::7'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['127.0.0.1', '', null],
    ['127.0.0.1', '198.51.100.7, ', null],
    ['127.0.0.1', 'unknown', null],
    ['127.0.0.1', '1.2.3.4, garbage', null],
    ['127.0.0.1', 'garbage, 198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '0306.51.100.7', null],
    ['127.0.0.1', '134744072', null],
    ['127.0.0.1', '0x8.8.8.8', null],
    ['127.0.0.1', '127.1', null],
    ['127.0.0.1', 'fe80::1%eth0', null],
    [null, '198.51.100.7', null],
  ]
  for (const [peer, forwardedFor, expected] of cases) {
    test(`${peer} with X-Forwarded-For ${JSON.stringify(forwardedFor)} is ${expected}`, () => {
      expect(clientAddress(peer, forwardedFor, trusted)).toBe(expected)
    })
  }

  test('an all-IPv4 network does not hold IPv6 addresses', () => {
    const everyV4 = parseTrustedProxies(['0.0.0.0/0'])
    expect(isTrustedPeer('203.0.113.9', everyV4)).toBe(true)
    expect(isTrustedPeer('2001:db8::1', everyV4)).toBe(false)
    expect(isTrustedPeer(null, everyV4)).toBe(false)
  })

  test('a mapped network is the IPv4 network', () => {
    expect(isTrustedPeer('10.9.9.9', parseTrustedProxies(['::ffff:10.0.0.0/104']))).toBe(true)
  })

  test('nothing to the left of an untrusted hop matters', () => {
    fc.assert(
      fc.property(fc.string(), (claim) => {
        const header = `${claim}, 198.51.100.7, 10.0.0.1`
        expect(clientAddress('127.0.0.1', header, trusted)).toBe('198.51.100.7')
      }),
    )
  })

  for (const entry of [
    '10.0.0.0/33',
    '10.0.0/8',
    'localhost',
    '::1/129',
    '1.2.3.4/',
    '01.2.3.4',
    '1.2.3.4/8/8',
    '',
  ]) {
    test(`${JSON.stringify(entry)} is no trusted proxy`, () => {
      expect(() => parseTrustedProxies([entry])).toThrow(RangeError)
    })
  }
})

describe('origin', () => {
  const cases: [origin: string | null, referer: string | null, expected: string | null][] = [
    ['https://app.example', null, 'https://app.example'],
    ['https://APP.Example.:443', null, 'https://app.example'],
    ['http://app.example:8080', null, 'http://app.example:8080'],
    ['https://bücher.example', null, 'https://xn--bcher-kva.example'],
    ['null', 'https://app.example/page', null],
    ['', 'https://app.example/page', null],
    [null, 'https://app.example/page?x=1#y', 'https://app.example'],
    [null, null, null],
    ['https://example.com@evil.net', null, null],
    [String.raw`https://evil.net\.example.com`, null, null],
    ['https://a.example, https://b.example', null, null],
    ['https://a.example https://b.example', null, null],
    ['https://a.example/path', null, null],
    ['https://a.example?x', null, null],
    ['file:///etc/passwd', null, null],
    ['https://%00.example', null, null],
    ['chrome-extension://abcdef', null, null],
    [null, 'https://user:pass@app.example/', null],
  ]
  for (const [origin, referer, expected] of cases) {
    test(`Origin ${JSON.stringify(origin)}, Referer ${JSON.stringify(referer)} is ${expected}`, () => {
      expect(callerOrigin(origin, referer)).toBe(expected)
    })
  }

  test('any text is answered with an origin that parses back to itself, or null', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
        const origin = callerOrigin(text, null)
        expect(origin === null || callerOrigin(origin, null) === origin).toBe(true)
      }),
    )
  })
})
