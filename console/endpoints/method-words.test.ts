import { expect, test } from 'bun:test'

import { methodGroupFacts, methodsChangeSentences } from './method-words.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `eth_${index}`)

test('each group says how much of it is open', () => {
  const closed = methodGroupFacts({
    ordinary: { known: 300, open: 12 },
    restricted: { known: 70, open: [] },
    unknown: { areAllOpen: false, open: [] },
  })
  expect(closed.map(({ text }) => text)).toEqual(['12 of 300', 'none of 70', 'none'])
  const open = methodGroupFacts({
    ordinary: { known: 300, open: 300 },
    restricted: { known: 70, open: ['anvil_mine', 'eth_sign'] },
    unknown: { areAllOpen: true, open: ['own_method'] },
  })
  expect(open.map(({ text }) => text)).toEqual([
    '300 of 300',
    '2 of 70: anvil_mine, eth_sign',
    'all that the lists do not exclude',
  ])
})

test('a change says what it opens before what it closes, with the first names of many', () => {
  expect(methodsChangeSentences({ opened: [], closed: [], unknown: null })).toEqual([])
  expect(methodsChangeSentences({ opened: ['eth_sign'], closed: names(7), unknown: 'opened' })).toEqual([
    'Saving opens eth_sign.',
    'Saving opens methods that no table knows.',
    'Saving closes 7 methods: eth_0, eth_1, eth_2, eth_3, eth_4 and 2 more.',
  ])
  expect(methodsChangeSentences({ opened: [], closed: [], unknown: 'closed' })).toEqual([
    'Saving closes methods that no table knows.',
  ])
})
