import { expect, test } from 'bun:test'

import {
  isRegistryNarrowed,
  registryQueryOf,
  searchOf,
  registryViewFromQuery,
  wholeRegistry,
} from './registry-view.ts'

const narrowed = {
  ...wholeRegistry,
  text: 'archive nodes',
  chain: 'base',
  category: 'apis',
  health: 'UP' as const,
  tags: ['EVM', 'No key'],
  filters: { planType: ['Free'], price: { max: 49 } },
  page: 3,
  service: { id: 'apis:acme', chain: 'base' },
}

test('a view survives the address of the page', () => {
  expect(registryViewFromQuery(registryQueryOf(narrowed))).toEqual(narrowed)
  expect(registryQueryOf(wholeRegistry)).toEqual({})
  expect(registryViewFromQuery({})).toEqual(wholeRegistry)
})

test.each([
  { page: '0' },
  { page: 'x' },
  { filters: '{' },
  { filters: '{"a":{"b":1}}' },
  { tags: '"x"' },
  { health: 'fine' },
])('%j narrows nothing', (query) => {
  expect(registryViewFromQuery(query)).toEqual(wholeRegistry)
})

test('asks for what it shows, a page at a time', () => {
  expect(searchOf(narrowed)).toEqual({
    query: 'archive nodes',
    chain: 'base',
    category: 'apis',
    tags: ['EVM', 'No key'],
    filters: { planType: ['Free'], price: { max: 49 }, health: 'UP' },
    limit: 20,
    offset: 40,
  })
})

test('details that are open narrow nothing', () => {
  expect(isRegistryNarrowed({ ...wholeRegistry, service: { id: 'apis:acme', chain: 'base' } })).toBe(false)
  expect(isRegistryNarrowed({ ...wholeRegistry, tags: ['EVM'] })).toBe(true)
})
