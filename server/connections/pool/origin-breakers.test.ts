import { expect, test } from 'bun:test'

import { createOriginBreakers } from './origin-breakers.ts'
import { createBulkhead } from './bulkhead.ts'
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

test('no principal and no place takes more than its part', () => {
  covers('threat-57')
  const turnstile = createBulkhead({ total: 4, perPrincipal: 2, perOrigin: 3 })
  const leave = turnstile.enter('anna', 'https://a.test')
  expect(turnstile.enter('anna', 'https://b.test')).not.toBeNull()
  expect(turnstile.enter('anna', 'https://c.test')).toBeNull()
  expect(turnstile.enter('bob', 'https://a.test')).not.toBeNull()
  expect(turnstile.enter('carol', 'https://a.test')).not.toBeNull()
  expect(turnstile.enter('dora', 'https://a.test')).toBeNull()
  expect(turnstile.enter('dora', 'https://d.test')).toBeNull()
  leave?.()
  expect(turnstile.enter('dora', 'https://a.test')).not.toBeNull()
  expect(turnstile.size()).toBe(4)
})
