import { describe, expect, test } from 'bun:test'

import type { EndpointListItem, UpstreamListItem } from '../../shared/endpoints.ts'
import {
  filterEndpoints,
  endpointFilterFromQuery,
  isEndpointListNarrowed,
  noEndpointFilter,
  endpointQueryOf,
} from './endpoint-filter.ts'
import { endpointState, stateReason } from './endpoint-state.ts'
import { keyCountText } from './key-count-text.ts'
import { serviceOptions } from './service-options.ts'
import { asSentence } from '../ui/sentence.ts'
import { testSummary, upstreamName } from './test-words.ts'

const upstream = (change: Partial<UpstreamListItem> = {}): UpstreamListItem => ({
  id: 'node-a',
  serviceId: 'node-a',
  host: 'node-a.example.com',
  webSocketHost: null,
  headerNames: [],
  weight: 1,
  decision: 'UP',
  tier: 0,
  budget: null,
  compression: null,
  budgetUse: null,
  outBecause: null,
  ...change,
})
const down = upstream({ id: 'node-b', serviceId: 'node-b', decision: 'DOWN' })
const out = upstream({ id: 'node-c', decision: null, outBecause: 'the service is not registered' })

const endpoint = (
  name: string,
  upstreams: UpstreamListItem[],
  problem: string | null = null,
): EndpointListItem => ({
  name,
  chain: { key: 'ethereum', name: 'Ethereum' },
  family: 'evm',
  managedBy: 'file',
  url: '',
  webSocketUrl: '',
  upstreams,
  problem,
})

const good = endpoint('mainnet', [upstream(), upstream({ decision: 'LATENCY' })])
const impaired = endpoint('archive', [upstream(), down])
const broken = endpoint('testnet', [down, out], 'One upstream is not used')

describe('the state of an endpoint', () => {
  test('goes by the upstreams that can be used', () => {
    expect([good, impaired, broken].map(endpointState)).toEqual(['ready', 'impaired', 'broken'])
  })

  test('has a reason in words', () => {
    expect([good, impaired, broken].map(stateReason)).toEqual([
      '',
      '1 of 2 upstreams is DOWN: calls go to the rest.',
      'One upstream is not used.',
    ])
    expect(stateReason(endpoint('x', [down]))).toBe('Its only upstream is DOWN.')
    expect(stateReason(endpoint('x', [down, down]))).toBe('All 2 upstreams are DOWN.')
  })
})

const namesOf = (search: string, state: '' | 'broken' = '') =>
  filterEndpoints([good, impaired, broken], { search, state }).map(({ name }) => name)

test('the filter stands in the address, and finds by name, chain, upstream and state', () => {
  const filters = [noEndpointFilter, { search: 'node-b', state: 'impaired' as const }]
  expect(filters.map((filter) => endpointFilterFromQuery(endpointQueryOf(filter)))).toEqual(filters)
  expect(endpointFilterFromQuery({ state: 'lost', search: ['a'] })).toEqual(noEndpointFilter)
  expect(isEndpointListNarrowed(noEndpointFilter)).toBe(false)
  expect([namesOf('NODE-B'), namesOf('ethereum main'), namesOf('', 'broken')]).toEqual([
    ['archive', 'testnet'],
    ['mainnet'],
    ['testnet'],
  ])
})

const service = (id: string, chain: string | null, family: 'evm' | 'subgraph' = 'evm') => ({
  id,
  name: id.toUpperCase(),
  chain: chain === null ? null : { key: chain, name: chain },
  family,
  decision: 'UP' as const,
})

test('services are offered by chain; one that is chosen stays to be seen', () => {
  const services = [service('b', 'ethereum'), service('a', 'ethereum'), service('c', 'base'), service('d', 'ethereum', 'subgraph')] // prettier-ignore
  expect(serviceOptions(services, 'ethereum', 'c').map(({ label }) => label)).toEqual([
    'Choose a service',
    'c, not of this chain',
    'A (a), UP',
    'B (b), UP',
  ])
  expect(serviceOptions(services, '', '')[0]?.label).toBe('Choose the chain first')
  expect(serviceOptions(services, 'polygon', '')[0]?.label).toBe('No service of this chain')
})

test('what a test came to is said in words', () => {
  const ok = { id: 'node-a', ok: true as const, latencyMs: 2 }
  const bad = { id: 'node-b', ok: false as const, latencyMs: null, message: 'it cannot be reached' }
  expect([[ok], [ok, ok], [ok, bad], [bad], [bad, bad]].map(testSummary)).toEqual([
    'The upstream answers.',
    'All 2 upstreams answer.',
    '1 of 2 upstreams answer as they should.',
    'The upstream does not answer as it should.',
    'None of the 2 upstreams answers as it should.',
  ])
  expect([asSentence(bad.message), asSentence('is it running?')]).toEqual([
    'It cannot be reached.',
    'Is it running?',
  ])
  expect([upstreamName(impaired, 'node-b'), upstreamName(impaired, 'upstream-7')]).toEqual([
    'node-b',
    'upstream-7',
  ])
})

test('query keys that stand in the way of a removal are counted', () => {
  expect([0, 1, 1_200].map(keyCountText)).toEqual([
    'No query key uses it.',
    '1 query key uses it, so it cannot be removed yet: its owner must delete it first.',
    '1,200 query keys use it, so it cannot be removed yet: their owners must delete them first.',
  ])
})
