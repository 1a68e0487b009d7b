import { expect, test } from 'bun:test'

import type { Policy } from '../../../shared/health.ts'
import { minLive } from './snapshot.ts'

const forAssigned = (quorum: Policy['quorum']) =>
  [0, 1, 2, 3, 4, 5, 6, 7, 10, 20].map((assigned) => minLive({ minLive: null, quorum }, assigned))

test('a majority is more than half of the assigned verifiers, and one of one', () => {
  expect(forAssigned('majority')).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 6, 11])
})

test('bft is two thirds and a bit of them', () => {
  expect(forAssigned('bft')).toEqual([1, 1, 2, 3, 3, 4, 5, 5, 7, 14])
})

test('n - f verifiers suffice for bft with n = 3f + 1, and two such quorums share an honest one', () => {
  for (let faulty = 1; faulty <= 10; faulty++) {
    const assigned = 3 * faulty + 1
    const needed = minLive({ minLive: null, quorum: 'bft' }, assigned)
    expect(needed).toBe(assigned - faulty)
    expect(2 * needed - assigned).toBeGreaterThan(faulty)
  }
})

test('a number in the policy comes first', () => {
  expect(minLive({ minLive: 2, quorum: 'bft' }, 20)).toBe(2)
})
