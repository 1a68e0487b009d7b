import { expect, test } from 'bun:test'

import { target } from '../test-support/fixtures.ts'
import { createFactsLedger } from './service-facts.ts'

const a = target('a')

test('facts are reported when they change, and again after five minutes', () => {
  const ledger = createFactsLedger()
  ledger.note(a, { peers: 1 })
  expect(ledger.takeDue([a, target('b')], 0)).toEqual([{ serviceId: 'a', facts: { peers: 1 } }])
  ledger.note(a, { peers: 1 })
  expect(ledger.takeDue([a], 299_999)).toEqual([])
  ledger.note(a, { isSyncing: true })
  expect(ledger.takeDue([a], 299_999)).toEqual([{ serviceId: 'a', facts: { peers: 1, isSyncing: true } }])
  expect(ledger.takeDue([a], 600_000)).toHaveLength(1)
  ledger.keepOnly(new Set())
  expect(ledger.takeDue([a], 900_000)).toEqual([])
})

test('facts of another address are neither reported nor added to', () => {
  const ledger = createFactsLedger()
  const moved = target('a', { endpoint: 'https://moved.example/' })
  ledger.note(a, { peers: 1 })
  expect(ledger.takeDue([moved], 0)).toEqual([])
  ledger.note(moved, { isSyncing: true })
  expect(ledger.takeDue([moved], 0)).toEqual([{ serviceId: 'a', facts: { isSyncing: true } }])
  expect(ledger.takeDue([a], 0)).toEqual([])
})

test('a chain that is not named any more is taken back, and of what was never found nothing is reported', () => {
  const ledger = createFactsLedger()
  ledger.note(a, { otherChain: undefined })
  expect(ledger.takeDue([a], 0)).toEqual([])
  const otherChain = { named: '137', expected: '1' }
  ledger.note(a, { otherChain })
  expect(ledger.takeDue([a], 1)).toEqual([{ serviceId: 'a', facts: { otherChain } }])
  ledger.note(a, { otherChain: undefined })
  expect(ledger.takeDue([a], 2)).toEqual([{ serviceId: 'a', facts: {} }])
})
