import { expect, test } from 'bun:test'

import { createOriginBreakers } from './origin-breakers.ts'
import { createBulkhead } from '../../platform/bulkhead.ts'
import { covers } from '../../../tests/support/covers.ts'

test('after five failures in a row a place is left alone; then one attempt shows whether it is back', () => {
  let nowMs = 0
  const breaker = createOriginBreakers({ monotonic: () => nowMs })
  const place = 'https://a.test'
  for (let count = 0; count < 4; count += 1) breaker.failed(place)
  expect(breaker.openForMs(place)).toBeNull()
  breaker.failed(place)
  expect(breaker.openForMs(place)).toBe(15_000)
  expect(breaker.openForMs('https://b.test')).toBeNull()
  nowMs = 15_000
  expect(breaker.openForMs(place)).toBeNull() // this one tries
  expect(breaker.openForMs(place)).toBe(15_000) // the others wait
  breaker.failed(place)
  nowMs = 30_000
  expect(breaker.openForMs(place)).toBeNull()
  breaker.succeeded(place)
  expect(breaker.openForMs(place)).toBeNull()
  breaker.failed(place)
  expect(breaker.openForMs(place)).toBeNull()
})

const account = (principal: string) => ({ principal, isAnonymous: false })

test('no principal and no place takes more than its part', () => {
  covers('threat-57')
  const bulkhead = createBulkhead({ total: 4, perPrincipal: 2, perOrigin: 3 })
  const leave = bulkhead.enter(account('anna'), 'https://a.test')
  expect(bulkhead.enter(account('anna'), 'https://b.test')).not.toBeNull()
  expect(bulkhead.enter(account('anna'), 'https://c.test')).toBeNull()
  expect(bulkhead.enter(account('bob'), 'https://a.test')).not.toBeNull()
  expect(bulkhead.enter(account('carol'), 'https://a.test')).not.toBeNull()
  expect(bulkhead.enter(account('dora'), 'https://a.test')).toBeNull()
  expect(bulkhead.enter(account('dora'), 'https://d.test')).toBeNull()
  leave?.()
  expect(bulkhead.enter(account('dora'), 'https://a.test')).not.toBeNull()
  expect(bulkhead.size()).toBe(4)
})

test.each<[string, (count: number) => string | null]>([
  ['that cannot be told apart', () => null],
  ['of many addresses', (count) => `address:${count}`],
])('anonymous callers %s leave half of the room to accounts', (_, principalOf) => {
  covers('threat-57')
  const bulkhead = createBulkhead({ total: 12, perPrincipal: 4, perOrigin: 8 })
  let callers = 0
  const enter = (origin: string) =>
    bulkhead.enter({ principal: principalOf(++callers), isAnonymous: true }, origin)
  const takenOf = (origin: string) =>
    Array.from({ length: 12 }, () => enter(origin)).filter((leave) => leave !== null).length
  expect([takenOf('https://a.test'), takenOf('https://b.test')]).toEqual([4, 2])
  const accounts = ['anna', 'bob', 'carol'].flatMap((name) => [account(name), account(name)])
  const leaves = accounts.map((one, place) =>
    bulkhead.enter(one, place < 4 ? 'https://a.test' : 'https://c.test'),
  )
  expect(leaves).not.toContain(null)
  for (const leave of leaves) leave?.()
  expect(enter('https://c.test')).toBeNull()
  expect(bulkhead.size()).toBe(6)
})
