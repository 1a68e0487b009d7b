import { describe, expect, test } from 'bun:test'

import { bestOf, createRank } from './match.ts'

test.each([
  ['Mainnet A', [], 'mainnet a', 0],
  ['Mainnet A', ['eth-1'], ' ETH-1 ', 0],
  ['Mainnet A', [], 'main', 1],
  ['Mainnet A', [], 'a', 2],
  ['Mainnet A', ['acme'], 'acme main', 2],
  ['node', ['eth-frankfurt'], 'frank', 2],
  ['Mainnet A', [], 'net', 3],
  ['Mainnet A', ['acme'], 'net acme', 3],
  ['Mainnet A', ['acme'], 'net zcme', null],
  ['banana', [], 'ana', 3],
] as const)('%s %j, typed "%s": %p', (title, others, typed, rank) => {
  expect(createRank(typed)(title, others)).toBe(rank)
})

const titled = (title: string) => ({ title, others: [], thing: () => title })

describe('the best of many', () => {
  test('comes first, and equally good ones are in the order of their titles', () => {
    const candidates = ['subnode', 'node b', 'node a', 'node', 'other', 'my node'].map(titled)
    expect(bestOf(candidates, 'node', 5)).toEqual(['node', 'node a', 'node b', 'my node', 'subnode'])
    expect(bestOf(candidates, 'node', 2)).toEqual(['node', 'node a'])
  })

  test('is made for those alone that are returned', () => {
    let made = 0
    const candidates = Array.from({ length: 100 }, (_, at) => ({
      title: `node ${at}`,
      others: [],
      thing: () => (made += 1),
    }))
    bestOf(candidates, 'node', 3)
    expect(made).toBe(3)
  })
})
