import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { nodeAddress, readPath } from './request-path.ts'

describe('a path', () => {
  test.each([
    ['/', []],
    ['/eth/v1/node/version', ['eth', 'v1', 'node', 'version']],
    ['/eth/v1/', ['eth', 'v1']],
    [
      '/v1/accounts/0x1/resource/0x1::coin::CoinStore%3C0x1::aptos_coin::AptosCoin%3E',
      ['v1', 'accounts', '0x1', 'resource', '0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>'],
    ],
    ['/a%20b/%C3%A9', ['a b', 'é']],
    ['/...', ['...']],
    ['/.well-known/x', ['.well-known', 'x']],
  ] as const)('%s', (raw, segments) => {
    expect(readPath(raw)).toEqual({ kind: 'path', segments: [...segments] })
  })

  test.each([
    '/..',
    '/eth/../admin',
    '/eth/..',
    '/eth/.',
    '/./eth',
    '/eth/%2e%2e/admin',
    '/eth/%2E%2e/admin',
    '/eth/.%2e/admin',
    '/eth/%2e/admin',
    '/eth%2fadmin',
    '/eth%2Fadmin',
    '/eth%5cadmin',
    '/eth\\admin',
    '/eth/..%5cadmin',
    '/eth/%252e%252e/admin',
    '/eth/%25%32%66admin',
    '//evil.example/eth',
    '/eth//admin',
    '/eth//',
    '//',
    '/http://evil.example/',
    '/eth;x=1/admin',
    '/eth%3bx/admin',
    '/..;/admin',
    '/eth%00',
    '/eth%0d%0aHost:%20evil',
    '/eth%7f',
    '/eth%',
    '/eth%2',
    '/eth%zz',
    '/eth%ff', // no UTF-8
    '/eth%c0%ae%c0%ae', // overlong dots
    '/eth admin',
    '/eth\tadmin',
    '/eth"<>',
    '/é',
    '',
    'eth',
  ])('not %j', (raw) => {
    expect(readPath(raw)).toMatchObject({ kind: 'refused' })
  })

  test('that is accepted has the segments that a node sees, whoever resolves it', () => {
    const part = fc.constantFrom(
      '/',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '%25',
      'eth',
      'admin',
      ';',
      '\\',
      '%3b',
      ':',
      '@',
      '%20',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const raw = `/${parts.join('')}`
        const read = readPath(raw)
        if (read.kind === 'refused') return
        const address = new URL(nodeAddress('http://node.example/base', raw, ''))
        expect(address.host).toBe('node.example')
        expect(address.pathname).toBe(`/base${raw}`) // nothing was resolved
        expect(read.segments).not.toContain('..')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the address at a node', () => {
  test.each([
    ['http://n.example', '/eth/v1', '', 'http://n.example/eth/v1'],
    ['http://n.example/', '/eth/v1', 'a=1&a=2', 'http://n.example/eth/v1?a=1&a=2'],
    ['https://n.example/secret/', '/eth', 'a=%20', 'https://n.example/secret/eth?a=%20'],
    ['https://n.example/?api-key=s', '/eth', '', 'https://n.example/eth?api-key=s'],
    ['https://n.example/?api-key=s', '/eth', 'a=1', 'https://n.example/eth?api-key=s&a=1'],
    // The node's own parameters cannot be replaced, however they are written.
    [
      'https://n.example/?api-key=s',
      '/eth',
      'api-key=x&Api-Key=y&a=1&api%2Dkey=z',
      'https://n.example/eth?api-key=s&a=1',
    ],
  ])('%s %s ?%s', (node, path, query, expected) => {
    expect(nodeAddress(node, path, query)).toBe(expected)
  })
})
