import { describe, expect, test } from 'bun:test'

import { createRegistryQueries } from './queries/queries.ts'
import { createChainPlaces } from './chain-places.ts'
import { loadContents } from './test-support/small-registry.ts'

const contents = {
  'ethereum/apis': [
    { slug: 'main', provider: 'Acme', chain: 'mainnet' },
    { slug: 'test', provider: 'Acme', chain: 'Sepolia' },
    { slug: 'other', provider: 'Acme', chain: 'Holesky 2' },
  ],
  'ethereum/wallets': [{ slug: 'pocket', provider: 'Pocket' }],
  'base/apis': [{ slug: 'base-test', provider: 'Acme', chain: 'sepolia' }],
  'solana/apis': [{ slug: 'sol', provider: 'Acme', chain: 'mainnet' }],
}
const { index } = await loadContents(contents)
const names = new Map([['sepolia', 'Ethereum Sepolia']])
const nameOf = (chain: string): string => names.get(chain) ?? chain
const answers = createRegistryQueries(index, nameOf, {
  isAny: () => false,
  linked: () => null,
  decisionOf: () => 'UNKNOWN',
})

test.each([
  ['ethereum', 'ethereum', null],
  ['solana-mainnet', 'solana', null],
  ['Solana Mainnet', 'solana', null],
  ['sepolia', 'ethereum', 'sepolia'],
  ['ethereum-sepolia', 'ethereum', 'sepolia'],
  ['base-sepolia', 'base', 'sepolia'],
  ['Holesky 2', 'ethereum', 'holesky 2'],
  ['ethereum-holesky-2', 'ethereum', 'holesky 2'],
])('%s is a chain of %s: %p', (chain, network, subChain) => {
  expect(createChainPlaces(index, nameOf)(chain)).toEqual({ network, subChain })
})

test.each(['', 'mainnet', 'solana-sepolia', 'nowhere', 'ethereumsepolia'])('"%s" is nowhere', (chain) => {
  expect(createChainPlaces(index, nameOf)(chain)).toBeNull()
})

const idsFor = (input: object): string[] | string => {
  const answer = answers.search(input)
  return answer.ok ? answer.value.results.map(({ service_id: id }) => id).toSorted() : answer.refusal.code
}

describe('a search', () => {
  test('takes the names of chains that other parts know, and finds what is on them', () => {
    expect(idsFor({ chain: 'sepolia' })).toEqual(['apis:test', 'wallets:pocket'])
    expect(idsFor({ chain: 'base-sepolia', category: 'apis' })).toEqual(['apis:base-test'])
    expect(idsFor({ chain: 'ethereum-holesky-2', category: 'apis' })).toEqual(['apis:other'])
    expect(idsFor({ chain: 'solana-mainnet' })).toEqual(['apis:sol'])
    expect(idsFor({ chain: 'nowhere' })).toBe('unknown_chain')
  })

  test('takes an empty chain and category as none', () => {
    expect(idsFor({ query: 'pocket', chain: '', category: ' ' })).toEqual(['wallets:pocket'])
  })
})
