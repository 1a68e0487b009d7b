import { expect, test } from 'bun:test'

import { healthOf } from '../test-support/history-fixtures.ts'
import { createUnsavedHealths } from './unsaved-healths.ts'

const now = 1_000_000
const lasting = now + 60_000

const idsOf = (parts: Iterable<readonly { serviceId: string }[]>) =>
  [...parts].flat().map(({ serviceId }) => serviceId)

test('changes are taken at once, refreshes in parts, and each of them once', () => {
  const healths = createUnsavedHealths(() => now)
  const refreshed = Array.from({ length: 1_200 }, (_, index) => `service-${index}`)
  for (const id of refreshed) healths.refresh(healthOf(id, { quorumExpiresAt: lasting }))
  healths.change(healthOf('changed', { quorumExpiresAt: lasting }))

  const parts = [...healths.take('refreshes')]
  expect(parts[0]?.map(({ serviceId }) => serviceId)).toEqual(['changed'])
  expect(Math.max(...parts.map((part) => part.length))).toBe(500)
  expect(idsOf(parts)).toEqual(['changed', ...refreshed])
  expect(idsOf(healths.take('everything'))).toEqual([])
})

test('a refresh that says nothing new waits until what is stored would not do for a restart', () => {
  let at = now
  const healths = createUnsavedHealths(() => at)
  const health = healthOf('a', { quorumExpiresAt: now + 30_000 })
  healths.refresh(health)
  expect(idsOf(healths.take('refreshes'))).toEqual(['a'])
  healths.refresh({ ...health, quorumExpiresAt: now + 40_000 })
  expect(idsOf(healths.take('refreshes'))).toEqual([])
  at = now + 16_000
  expect(idsOf(healths.take('refreshes'))).toEqual(['a'])
})

test('what comes while parts are taken is not lost', () => {
  const healths = createUnsavedHealths(() => now)
  for (let index = 0; index < 600; index++) {
    healths.refresh(healthOf(`service-${index}`, { quorumExpiresAt: lasting }))
  }
  const first = healths.take('everything')
  first.next()
  healths.change(healthOf('service-599', { published: 'DOWN', quorumExpiresAt: lasting }))
  const taken = [...idsOf(first), ...idsOf(healths.take('changes'))]
  expect(new Set(taken).size).toBe(600)
  expect(taken.filter((id) => id === 'service-599')).toHaveLength(1)
})
