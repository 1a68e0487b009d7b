import { describe, expect, test } from 'bun:test'

import { EgressError } from './failure.ts'
import { type TargetRules, parseTarget } from './target.ts'

const anything: TargetRules = { schemes: ['http', 'https'], ports: undefined }

function refusal(url: string, rules: TargetRules): string | null {
  try {
    parseTarget(url, rules)
    return null
  } catch (error) {
    if (error instanceof EgressError) return error.code
    throw error
  }
}

test('a URL is taken apart', () => {
  const target = parseTarget('https://Rpc.Example.COM:8443/v1/key?a=b#fragment', anything)
  expect(target).toEqual({
    scheme: 'https',
    host: 'rpc.example.com',
    hostIsAddress: false,
    port: 8443,
    hostHeader: 'rpc.example.com:8443',
    path: '/v1/key?a=b',
  })
})

test.each([
  ['http://example.com/', 'example.com', 'example.com'],
  ['http://example.com./', 'example.com', 'example.com'],
  ['http://example.com.:81/', 'example.com', 'example.com:81'],
  ['http://[2606:4700::1111]:81/', '2606:4700::1111', '[2606:4700::1111]:81'],
  ['http://bücher.example/', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('%s asks for host %s and says %s', (url, host, hostHeader) => {
  expect(parseTarget(url, anything)).toMatchObject({ host, hostHeader })
})

test.each([
  ['http://2130706433/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://127.1/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://127。0。0。1/', '127.0.0.1'],
  ['http://１２７.０.０.１/', '127.0.0.1'],
  ['http://[::ffff:7f00:1]/', '::ffff:7f00:1'],
])('%s is seen as the address %s', (url, host) => {
  expect(parseTarget(url, anything)).toMatchObject({ host, hostIsAddress: true })
})

describe('refusals', () => {
  test.each([
    '',
    'example.com',
    'http://',
    'http://./',
    'http://a b/',
    'http://[::1',
    'http://1.2.3.4.5/',
    'http://x:99999/',
  ])('URL: %p', (url) => expect(refusal(url, anything)).toBe('URL'))

  test.each([
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://a/',
    's3://bucket/key',
    'blob:https://a/1',
    'javascript:1',
  ])('SCHEME: %s', (url) => expect(refusal(url, anything)).toBe('SCHEME'))

  test('SCHEME: http where https alone is allowed', () => {
    expect(refusal('http://example.com/', { schemes: ['https'], ports: undefined })).toBe('SCHEME')
  })

  test.each(['http://user@example.com/', 'http://user:secret@example.com/', 'http://:secret@example.com/'])(
    'USERINFO: %s',
    (url) => expect(refusal(url, anything)).toBe('USERINFO'),
  )

  test.each([
    ['https://example.com/', null],
    ['https://example.com:443/', null],
    ['https://example.com:8443/', null],
    ['https://example.com:22/', 'PORT'],
    ['http://example.com/', 'PORT'],
  ])('with ports 443 and 8443, %s gives %p', (url, code) => {
    expect(refusal(url, { ...anything, ports: [443, 8443] })).toBe(code)
  })
})
