import { expect, test } from 'bun:test'

import { createFactsLedger } from './service-facts.ts'

test('facts are reported when they change, and again after five minutes', () => {
  const ledger = createFactsLedger()
  ledger.note('a', { peers: 1 })
  expect(ledger.takeDue(['a', 'b'], 0)).toEqual([{ serviceId: 'a', facts: { peers: 1 } }])
  ledger.note('a', { peers: 1 })
  expect(ledger.takeDue(['a'], 299_999)).toEqual([])
  ledger.note('a', { isSyncing: true })
  expect(ledger.takeDue(['a'], 299_999)).toEqual([{ serviceId: 'a', facts: { peers: 1, isSyncing: true } }])
  expect(ledger.takeDue(['a'], 600_000)).toHaveLength(1)
  ledger.keepOnly(new Set())
  expect(ledger.takeDue(['a'], 900_000)).toEqual([])
})
