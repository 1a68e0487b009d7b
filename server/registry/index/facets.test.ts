import { expect, test } from 'bun:test'

import { facets } from './facets.ts'

const hasFacet = (label: string, price: string): boolean | undefined =>
  facets
    .find((facet) => facet.label === label)
    ?.has({
      cell: (column) => (column === 'price' ? price : ''),
      text: price,
      category: 'apis',
      subChain: '',
    })

test('a price of nothing is free, and one that begins with a zero is not', () => {
  for (const price of ['$0', '$0/month', '$0.00', '€0,00 per call', '$0, then $49', 'free'])
    expect([price, hasFacet('free', price), hasFacet('paid', price)]).toEqual([price, true, false])
  for (const price of ['$0.01 per call', '€0,5', '$0.001', '$05', '$49'])
    expect([price, hasFacet('free', price), hasFacet('paid', price)]).toEqual([price, false, true])
})
