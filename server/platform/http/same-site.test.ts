import { describe, expect, test } from 'bun:test'

import { type PublicAddress, listeningAddress, publicAddress } from './public-address.ts'
import { ownOriginOf, requireSameSite } from './same-site.ts'

const onAll = listeningAddress({ host: '0.0.0.0', port: 3000 }, 'gate')
const configured = publicAddress('https://gate.example.org')
const loopback = publicAddress('http://127.0.0.1:3000')

const requestWith = (headers: Record<string, string>) => new Request('http://localhost/', { headers })

function isLetIn(address: PublicAddress, headers: Record<string, string>): boolean {
  try {
    requireSameSite(requestWith(headers), address)
    return true
  } catch {
    return false
  }
}

/** A page of an origin, asking the host that it came from, or another one. */
const page = (origin: string, host = origin.replace('http://', '')) => ({ origin, host })

describe('listening on all addresses without a configured one', () => {
  test.each([
    'http://gate:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://localhost:8080', // by a port mapping
    'http://192.0.2.7',
    'http://gate:8080',
    'http://[2001:db8::7]:3000',
  ])('a page of %s may ask its own host', (origin) => {
    expect(isLetIn(onAll, page(origin))).toBe(true)
    expect(isLetIn(onAll, { ...page(origin), 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(ownOriginOf(requestWith(page(origin)), onAll)).toBe(origin)
  })

  test.each([
    ['a name that somebody made point here', page('http://rebound.example.net:3000')],
    ['a name that only begins like an address', page('http://127.0.0.1.example.net:3000')],
    ['a name that only ends like ours', page('http://x.gate:3000')],
    ['another address', page('http://198.51.100.9:3000', '192.0.2.7:3000')],
    ['another port of the same address', page('http://192.0.2.7:8080', '192.0.2.7:3000')],
    ['https at the same host', page('https://192.0.2.7:3000', '192.0.2.7:3000')],
    ['an opaque origin', page('null', '192.0.2.7:3000')],
    ['an address that is none', page('http://999.1.1.1:3000')],
    [
      'what the browser calls cross-site',
      { ...page('http://192.0.2.7:3000'), 'sec-fetch-site': 'cross-site' },
    ],
    ['another port, as the browser sees it', { ...page('http://gate:3000'), 'sec-fetch-site': 'same-site' }],
    ['nobody who says who it is', { host: '192.0.2.7:3000' }],
  ] as const)('%s may not', (_title, headers) => {
    expect(isLetIn(onAll, headers)).toBe(false)
  })
})

describe('with a configured address, or on loopback', () => {
  test.each([
    [configured, page('http://192.0.2.7:3000')],
    [configured, page('http://localhost:3000')],
    [loopback, page('http://192.0.2.7:3000')],
    [loopback, page('http://localhost:8080')],
  ])('the host of the request is no argument', (address, headers) => {
    expect(isLetIn(address, headers)).toBe(false)
    expect(ownOriginOf(requestWith(headers), address)).toBe(address.origin)
  })

  test('its own origins are', () => {
    expect(isLetIn(configured, { origin: 'https://gate.example.org', host: 'inside:3000' })).toBe(true)
    expect(isLetIn(loopback, page('http://localhost:3000'))).toBe(true)
  })
})
