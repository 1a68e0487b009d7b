import { expect, test } from 'bun:test'

import { withoutCommonItems } from './list-differences.ts'

const addresses = (count: number) => Array.from({ length: count }, (_, place) => `192.0.2.${place}/32`)

test('an item added to a long list is the only one that is recorded', () => {
  const before = { name: 'Build server', allowedIps: addresses(99) }
  const after = { name: 'CI', allowedIps: [...addresses(99), '2001:db8::/32'] }
  expect(withoutCommonItems(before, after)).toEqual({
    before: { name: 'Build server', allowedIps: ['… (99 items in both)'] },
    after: { name: 'CI', allowedIps: ['2001:db8::/32', '… (99 items in both)'] },
  })
})

test('a long list that did not change is one line on both sides', () => {
  const facts = { allowedIps: addresses(100) }
  const short = { allowedIps: ['… (100 items in both)'] }
  expect(withoutCommonItems(facts, facts)).toEqual({ before: short, after: short })
})

test('a long list that became short shows what was removed', () => {
  const before = { allowedIps: addresses(11) }
  const after = { allowedIps: addresses(1) }
  expect(withoutCommonItems(before, after)).toEqual({
    before: { allowedIps: [...addresses(11).slice(1), '… (1 item in both)'] },
    after: { allowedIps: ['… (1 item in both)'] },
  })
})

test('short lists, lists of one side only, and other fields stay whole', () => {
  const before = { allowedIps: addresses(10), permissions: ['a'], name: 'one' }
  const after = { allowedIps: addresses(9), permissions: 'all', name: 'two' }
  expect(withoutCommonItems(before, after)).toEqual({ before, after })
  expect(withoutCommonItems(null, { allowedIps: addresses(50) }).after).toEqual({ allowedIps: addresses(50) })
})
