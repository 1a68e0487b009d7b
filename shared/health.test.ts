import { expect, test } from 'bun:test'

import { HttpRule, ServiceId } from './health.ts'

test('no service has an id that no address leads to', () => {
  for (const id of ['.', '..', '', 'a/b', 'a'.repeat(129)])
    expect(ServiceId.safeParse(id).success).toBe(false)
  for (const id of ['...', '.a', 'a.', 'a..b', ':', 'a'.repeat(128)])
    expect(ServiceId.safeParse(id).success).toBe(true)
})

test('a rule names at least one good status', () => {
  expect(HttpRule.safeParse({ statuses: [] }).success).toBe(false)
  expect(HttpRule.parse({}).statuses).toEqual([200])
})
