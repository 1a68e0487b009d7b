import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { parseDomainRule } from '../../../shared/allowed-domains.ts'
import { families } from '../../../shared/chains.ts'
import { keyValue, startTestRelay, type RelayScenario } from '../test-support/relay-under-test.ts'
import { helpOf, type HelpSubject } from './help.ts'

const opened = closedAfterEach()

function start(world: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({ upstreams: [{ url: 'http://user:planted@127.0.0.1:9/secret' }], ...world })
  opened.push(relay.stop)
  return relay
}

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('a GET at the address of a key', () => {
  test('checks key and address before anything else', async () => {
    const relay = start()
    for (const headers of [{}, browser]) {
      const statusOf = async (path: string) => (await fetch(relay.origin + path, { headers })).status
      expect(await statusOf('/rpc/testnet')).toBe(401)
      expect(await statusOf('/rpc/testnet/wrong')).toBe(401)
      expect(await statusOf(`/rpc/other/${keyValue}`)).toBe(401)
      expect(await statusOf('/rpc/a/b/c')).toBe(401)
      expect(await statusOf('/rpc/')).toBe(404)
      expect(await statusOf(`/rpc/testnet/${keyValue}/more`)).toBe(404)
      expect(await statusOf(`/rpc/testnet/${keyValue}`)).toBe(200)
    }
    const removed = start({ findEndpoint: () => undefined })
    expect((await fetch(removed.url)).status).toBe(404)
  })

  test('and restrictions, and counts wrong keys', async () => {
    const elsewhere = start({ key: { allowedIps: ['203.0.113.9'] } })
    expect((await fetch(elsewhere.url)).status).toBe(403)
    const rule = parseDomainRule('app.example.com')
    if (rule.kind !== 'rule') throw new Error(rule.why)
    const pages = start({ key: { allowedDomains: [rule.rule] } })
    expect((await fetch(pages.url)).status).toBe(403)
    const relay = start({ wrongKeysPerMinute: 2 })
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) {
      statuses.push((await fetch(`${relay.origin}/rpc/testnet/wrong`)).status)
    }
    expect(statuses).toEqual([401, 401, 429])
  })

  test('tells programs what to send, and what this key may do', async () => {
    const relay = start({
      rate: { units: 5_000, period: 'minute' },
      key: { allowedMethods: ['eth_call', 'eth_get*'] },
      endpoint: { methods: { allow: ['eth_*', 'evm_mine'], deny: [], unknown: 'refuse' } },
    })
    const response = await fetch(relay.url)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({
      use: expect.stringContaining('POST'),
      endpoint: 'testnet',
      family: 'evm',
      address: 'https://gatehouse.example/rpc/testnet/{key}',
      webSocketAddress: 'wss://gatehouse.example/rpc/testnet/{key}',
      examples: [{ with: 'curl' }, { with: 'viem' }, { with: 'ethers' }],
      methods: { restricted: { open: ['evm_mine'] }, unknown: { areAllOpen: false, open: [] } },
      onlyMethods: ['eth_call', 'eth_get*'],
      limits: { rate: { units: 5_000, period: 'minute' }, credits: null },
    })
    expect(relay.metered).toEqual([])
  })

  test('shows browsers a page that can do nothing and tells nobody the key', async () => {
    const relay = start({ endpoint: { name: 'testnet' }, credits: { units: 1_000_000, period: 'day' } })
    const response = await fetch(relay.url, { headers: browser })
    const page = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toBe('Accept')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page).toContain('1,000,000 in any day')
    expect(page).toContain('https://gatehouse.example/rpc/testnet/{key}')
    expect(page).not.toMatch(/<script|<a |<img|<form|href=|src=/)
    for (const secret of [keyValue, 'planted', 'secret']) expect(page).not.toContain(secret)
  })
})

test('an endpoint of paths tells its paths', async () => {
  const methods = { allow: ['POST /a', 'GET /eth/v1/node/*'], deny: [], unknown: 'refuse' as const }
  const relay = start({ endpoint: { family: 'beacon', methods } })
  expect(await (await fetch(relay.url)).json()).toMatchObject({
    address: 'https://gatehouse.example/rpc/testnet/{key}/{path}',
    webSocketAddress: null,
    paths: methods.allow,
    methods: null,
    examples: [
      { with: 'curl', code: "curl 'https://gatehouse.example/rpc/testnet/{key}/eth/v1/node/…'" },
      { with: 'JavaScript' },
    ],
  })
  const page = await (await fetch(relay.url, { headers: browser })).text()
  expect(page).toContain('GET /eth/v1/node/*')
})

test.each([...families])('the examples of %s call something harmless', (family) => {
  const { endpoint, key } = subject
  const help = helpOf({ endpoint: { ...endpoint, family }, key, origin: 'https://a.example' })
  for (const { code } of help.examples) expect(code).toContain('a.example/rpc/one')
})

const subject: Omit<HelpSubject, 'origin'> = {
  endpoint: {
    name: 'one',
    chain: undefined,
    family: 'evm',
    upstreams: [],
    methods: { allow: [], deny: [], unknown: 'refuse' },
    settings: { byMethod: {} },
    bodyBounds: { all: 1_000, some: 1_000 },
    priceOf: () => 1,
    conditionalPrices: { cached: null, logsPer1000Blocks: 0 },
    pricesVersion: '1',
    isRest: false,
  },
  key: {
    id: 'k',
    accountId: 'a',
    endpoint: 'one',
    moreEndpoints: [],
    debugEndsAt: null,
    rate: null,
    credits: null,
    allowedDomains: [],
    allowedMethods: [],
    further: [],
    allowedContracts: [],
  },
}
