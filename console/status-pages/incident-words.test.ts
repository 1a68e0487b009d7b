import { expect, test } from 'bun:test'

import { instantOf, instantParts } from './incident-words.ts'

test('an instant goes into a form and comes back, in UTC', () => {
  const at = Date.UTC(2026, 10, 23, 8, 5)
  expect(instantParts(at)).toEqual({ day: '2026-11-23', time: '08:05' })
  expect(instantOf(instantParts(at))).toBe(at)
  expect([instantOf({ day: '', time: '08:05' }), instantOf({ day: '2026-11-23', time: '25:00' })]).toEqual([null, null]) // prettier-ignore
})
