import { describe, expect, test } from 'bun:test'

import type { UpstreamSpec } from '../../shared/endpoints.ts'
import type { KnownService } from './check.ts'
import { resolveUpstreams, upstreamIds } from './resolve.ts'

const nodeA: KnownService = {
  id: 'node-a',
  chain: 'testnet',
  family: 'evm',
  endpoint: 'https://user:pa%20ss@node-a.example/key',
  headers: { 'X-Key': 'secret' },
}
const chain = { key: 'testnet', family: 'evm' } as const

const resolved = (spec: UpstreamSpec, service: KnownService = nodeA) =>
  resolveUpstreams([spec], chain, (id) => (id === service.id ? service : undefined))[0]

const at = (ws: string) => resolved({ service: 'node-a', ws, weight: 1 })

describe('an upstream', () => {
  test('that is a service has its address and headers, credentials of the address among them', () => {
    expect(resolved({ service: 'node-a', weight: 3 })).toMatchObject({
      kind: 'in',
      upstream: {
        id: 'node-a',
        url: 'https://node-a.example/key',
        webSocketUrl: 'wss://node-a.example/key',
        headers: { authorization: `Basic ${btoa('user:pa ss')}`, 'x-key': 'secret' },
        weight: 3,
        serviceId: 'node-a',
      },
    })
  })

  test('that is an address has a name by its place', () => {
    const spec = { url: 'http://127.0.0.1:8545', ws: 'ws://127.0.0.1:8546', headers: { A: 'b' }, weight: 1 }
    expect(resolved(spec)).toMatchObject({
      upstream: {
        id: 'upstream-1',
        url: 'http://127.0.0.1:8545/',
        webSocketUrl: 'ws://127.0.0.1:8546',
        headers: { a: 'b' },
        serviceId: null,
      },
    })
  })

  test.each([
    ['https://node.example', undefined, true],
    ['http://10.0.0.1:8545', undefined, false],
    ['https://node.example', false, false],
    ['http://10.0.0.1:8545', true, true],
  ])('at %s with compression %p is asked for compressed answers: %p', (url, compression, expected) => {
    const spec = { url, weight: 1, ...(compression === undefined ? {} : { compression }) }
    expect(resolved(spec)).toMatchObject({ upstream: { compression: expected } })
  })

  test.each([
    ['is not registered', { ...nodeA, id: 'other' }, 'the service node-a is not registered'],
    [
      'is of another family',
      { ...nodeA, family: 'http', chain: null },
      '"node-a" is of family http, and not of evm',
    ],
    [
      'is of another chain',
      { ...nodeA, chain: 'ethereum' },
      '"node-a" is of chain ethereum, and not of testnet',
    ],
  ] satisfies [string, KnownService, string][])('whose service %s is out, and says so', (_, service, why) => {
    expect(resolved({ service: 'node-a', weight: 1 }, service)).toMatchObject({
      kind: 'out',
      id: 'node-a',
      why,
    })
  })

  test('sends the headers of a service to no other host than its own', () => {
    expect(at('wss://node-a.example:8546/')).toMatchObject({
      upstream: { webSocketUrl: 'wss://node-a.example:8546/' },
    })
    expect(at('wss://evil.example/')).toMatchObject({ upstream: { webSocketUrl: null } })
  })
})

const identities = (specs: readonly UpstreamSpec[]) =>
  resolveUpstreams(specs, chain, () => nodeA).map((each) =>
    each.kind === 'in' ? each.upstream.identity : '',
  )

test('an upstream is known by the same name wherever it stands, which tells nothing of its address', () => {
  const [paid, free] = [
    { url: 'https://user:planted@paid.example/planted-key', weight: 1 },
    { url: 'http://a.example', weight: 1 },
  ]
  const [ofPaid = '', ofFree = ''] = identities([paid, free])
  expect(identities([free, { service: 'node-a', weight: 1 }, paid])).toEqual([ofFree, 'node-a', ofPaid])
  expect(new Set(identities([paid, paid, free])).size).toBe(3)
  expect(ofPaid).toMatch(/^address:[\w-]{22}$/)
  // A new password makes no other node of it.
  expect(identities([{ ...paid, url: paid.url.replace('user:planted', 'user:other') }])).toEqual([ofPaid])
})

test('no two upstreams of an endpoint have one id', () => {
  const address = { url: 'http://a.example', weight: 1 }
  expect(upstreamIds([{ service: 'upstream-2', weight: 1 }, address, address])).toEqual([
    'upstream-2',
    'upstream-2-address',
    'upstream-3',
  ])
})
