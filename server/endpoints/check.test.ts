import { expect, test } from 'bun:test'

import { EndpointSpec } from '../../shared/endpoints.ts'
import { testChain as chainWith } from '../health/test-support/fixtures.ts'
import { checkEndpoint } from './check.ts'

const testChain = chainWith()
const chains = [
  testChain,
  { ...testChain, key: 'other' },
  { ...testChain, key: 'website', family: 'http' as const },
  { ...testChain, key: 'sun', family: 'solana' as const },
]
const service = { chain: 'testnet', family: 'evm', endpoint: 'http://a.example:8545/', headers: {} } as const
const references = {
  findChain: (key: string) => chains.find((chain) => chain.key === key),
  findService: (id: string) => {
    if (id === 'plain') return { ...service, id, chain: null, family: 'http' as const }
    return id.startsWith('node') ? { ...service, id } : undefined
  },
}

const problems = (more: object) =>
  checkEndpoint(
    EndpointSpec.parse({ name: 'testnet', chain: 'testnet', upstreams: [{ service: 'node-a' }], ...more }),
    references,
  ).map(({ path, message }) => `${path.join('.')}: ${message}`)

test('an endpoint of known services and addresses is right', () => {
  const upstreams = [{ service: 'node-a' }, { service: 'node-b' }, { url: 'http://user:password@b.example' }]
  expect(problems({ upstreams })).toEqual([])
})

test.each(['evm', 'bitcoin', 'sui', 'stellar'] as const)(
  'an endpoint of methods is right for %s',
  (family) => {
    const chain = `of-${family}`
    const known = { ...references, findChain: () => ({ ...testChain, key: chain, family }) }
    const spec = { name: 'testnet', chain, upstreams: [{ url: 'http://b.example' }] }
    expect(checkEndpoint(EndpointSpec.parse(spec), known)).toEqual([])
  },
)

test('an endpoint of paths is right for every family, with services that suit its chain', () => {
  const methods = { allow: ['GET /v1/**', 'POST /v1/tx'], deny: ['GET /v1/admin/**'] }
  const credits = { default: 5, 'POST /v1/tx': 50 }
  expect(problems({ methods, credits, chain: 'website', upstreams: [{ url: 'http://b.example' }] })).toEqual(
    [],
  )
  expect(problems({ methods, credits, upstreams: [{ service: 'node-a' }, { service: 'plain' }] })).toEqual([])
})

test.each([
  [
    { methods: { allow: ['GET /v1/**', 'eth_call'], deny: ['debug_*'] }, credits: { eth_call: 1 } },
    [
      'methods.allow.1: an endpoint that lists paths, such as GET /eth/v1/node/*, has no methods beside them',
      'methods.deny.0: an endpoint that lists paths, such as GET /eth/v1/node/*, has no methods beside them',
    ],
  ],
  [
    { methods: { allow: ['GET /v1/**'] }, credits: { default: 1, 'GET /v2/**': 1 } },
    ['credits.GET /v2/**: is not in methods.allow, whose paths are what has a price'],
  ],
  [
    { methods: { allow: ['GET /v1/**'] }, chain: 'other' },
    ['upstreams.0.service: "node-a" is of chain testnet, and not of other'],
  ],
])('%j is refused', (more, expected) => {
  expect(problems(more)).toEqual(expected)
})

test.each([
  [{ chain: 'nowhere' }, 'chain: unknown chain "nowhere"; add it under chains: or use a built-in key'],
  [
    { chain: 'website' },
    'chain: "website" is of family http, which is not called by JSON-RPC: list paths in methods.allow, such as GET /eth/v1/node/*',
  ],
  [
    { upstreams: [{ service: 'gone' }] },
    'upstreams.0.service: unknown service "gone"; register it or add it under services:',
  ],
  [
    { settings: { totalMs: 1_000, byMethod: { eth_call: { hedge: 2_000 } } } },
    'settings.byMethod.eth_call.hedge: hedge (2000) is not shorter than totalMs (1000)',
  ],
  [{ chain: 'sun' }, 'upstreams.0.service: "node-a" is of family evm, and not of solana'],
  [{ chain: 'other' }, 'upstreams.0.service: "node-a" is of chain testnet, and not of other'],
  [
    { upstreams: [{ service: 'node-a' }, { service: 'node-a' }] },
    'upstreams.1.service: an upstream of this endpoint already',
  ],
  [
    { upstreams: [{ url: 'http://b.example', headers: { 'X-Key': '1', 'x-key': '2' } }] },
    'upstreams.0.headers: a header is given twice',
  ],
  [
    { upstreams: [{ url: 'http://b.example', ws: 'ws://user:password@b.example' }] },
    'upstreams.0.ws: put user and password into a header: WebSocket addresses carry none',
  ],
  [
    { upstreams: [{ service: 'node-a', ws: 'ws://evil.example' }] },
    'upstreams.0.ws: must be on the host of the service, as it is sent the headers of the service',
  ],
])('%j is refused', (more, problem) => {
  expect(problems(more)).toEqual([problem])
})
