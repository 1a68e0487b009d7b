import { expect, test } from 'bun:test'

import { createCatalogue } from '../services/catalogue.ts'
import { httpServiceOf, serviceOf, verifierOf } from '../test-support/fixtures.ts'
import { createVirtualClock, someInstant } from '../test-support/virtual-clock.ts'
import { createSilentAt } from './silence.ts'

function setUp(...intervals: number[]) {
  const catalogue = createCatalogue()
  const clock = createVirtualClock()
  const put = (id: string, intervalMs: number) =>
    catalogue.put(serviceOf(id, { policy: { intervalMs, deepIntervalMs: 600_000 } }))
  for (const [index, intervalMs] of intervals.entries()) put(`node-${index}`, intervalMs)
  const silentAt = createSilentAt({ catalogue, clock })
  /** After which time (ms) a verifier is silent that was seen just now, or so many ms ago. */
  const silentAfter = (agoMs = 0, families: ('evm' | 'http')[] = ['evm']) => {
    const at = silentAt(verifierOf('v', { families, lastSeenAt: clock.now() - agoMs }))
    return at === null ? null : at - clock.now()
  }
  return { catalogue, clock, put, silentAt, silentAfter }
}

test.each([
  [[10_000], 30_000],
  [[1_000], 30_000],
  [[300_000], 750_000],
  [[600_000, 60_000], 150_000],
])('whoever is asked to probe every %j ms is silent after %i ms', (intervals, after) => {
  expect(setUp(...intervals).silentAfter()).toBe(after)
})

test('nothing is expected of a verifier without services of its families, or before its first report', () => {
  const { silentAt, silentAfter, catalogue } = setUp(10_000)
  expect(silentAfter(0, ['http'])).toBeNull()
  catalogue.put(httpServiceOf('page'))
  expect(silentAfter(0, ['http'])).toBe(30_000)
  expect(silentAt(verifierOf('new', { lastSeenAt: null }))).toBeNull()
  catalogue.remove('node-0')
  expect(silentAfter()).toBeNull()
})

test('what was silent before this start is so still', () => {
  expect(setUp(10_000).silentAfter(3_600_000)).toBe(30_000 - 3_600_000)
})

test('whoever is asked for more than before has the time for it from then on', () => {
  const { silentAfter, clock, put, catalogue } = setUp()
  expect(silentAfter(3_600_000)).toBeNull()
  put('first', 300_000)
  expect(silentAfter(3_600_000)).toBe(750_000)
  clock.advance(200_000)
  put('other', 600_000)
  expect(silentAfter(200_000)).toBe(550_000)
  put('first', 10_000)
  expect(silentAfter(200_000)).toBe(30_000)
  catalogue.remove('other')
  clock.advance(20_000)
  expect(silentAfter(220_000)).toBe(10_000)
  expect(clock.now()).toBe(someInstant + 220_000)
})
