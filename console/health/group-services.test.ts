import { expect, test } from 'bun:test'

import { groupServices } from './group-services.ts'

const service = (id: string, chain: string | null, decision: 'UP' | 'DOWN' = 'UP') => ({
  id,
  chain: chain === null ? null : { key: chain, name: chain },
  family: 'http' as const,
  provider: 'acme',
  decision,
})
const rows = [
  service('a', 'Base', 'DOWN'),
  service('b', 'Ethereum'),
  service('c', 'Base'),
  service('d', null),
  service('e', 'Base'),
]

test('what is not UP comes first, then chain by chain, each with how many are UP of all', () => {
  const { rows: ordered, titles } = groupServices(rows, 'chain')
  expect(ordered.map(({ id }) => [id, titles.get(id)?.title, titles.get(id)?.chain])).toEqual([
    ['a', 'Needs attention · 1', null],
    ['c', 'Base · 2 of 3 UP', 'Base'],
    ['e', 'Base · 2 of 3 UP', 'Base'],
    ['b', 'Ethereum · 1 of 1 UP', 'Ethereum'],
    ['d', 'http · 1 of 1 UP', null],
  ])
})

test('by provider, and not at all', () => {
  const titles = [...groupServices(rows, 'provider').titles.values()]
  expect([...new Set(titles.map(({ title }) => title))]).toEqual(['Needs attention · 1', 'acme · 4 of 5 UP'])
  expect(groupServices(rows, '')).toEqual({ rows, titles: new Map() })
})
