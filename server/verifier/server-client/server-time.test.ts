import { expect, test } from 'bun:test'

import { createServerTime } from './server-time.ts'
import { movableClock } from '../test-support/fixtures.ts'

test('the own wall clock holds until the server has told its time', () => {
  const clock = movableClock()
  const time = createServerTime(clock)
  expect(time.now()).toBe(clock.now())
  time.synchronize(1_700_000_000_000)
  expect(time.now()).toBe(1_700_000_000_000)
})

test('afterwards it goes by monotonic time and ignores jumps of the wall clock', () => {
  const clock = movableClock()
  const time = createServerTime(clock)
  time.synchronize(1_700_000_000_000)
  clock.jump(-86_400_000)
  clock.pass(250)
  expect(time.now()).toBe(1_700_000_000_250)
})

test('it is a whole number, as the wire wants it', () => {
  const clock = movableClock()
  const time = createServerTime(clock)
  time.synchronize(1_700_000_000_000)
  clock.pass(0.75)
  expect(time.now()).toBe(1_700_000_000_000)
})
