import { expect, test } from 'bun:test'

import { createSteadyClock } from './steady-clock.ts'

function movableClock() {
  let wall = 1_800_000_000_000
  let monotonic = 5_000
  return {
    now: () => wall,
    monotonic: () => monotonic,
    pass(ms: number) {
      wall += ms
      monotonic += ms
    },
    jump(ms: number) {
      wall += ms
    },
  }
}

test('time passes as it does', () => {
  const clock = movableClock()
  const steady = createSteadyClock(clock)
  clock.pass(1_234)
  expect(steady.now()).toBe(1_800_000_001_234)
})

test('a jump of the wall clock changes nothing at first, and both opinions can be asked for', () => {
  const clock = movableClock()
  const steady = createSteadyClock(clock)
  clock.jump(3_600_000)
  clock.pass(10)
  expect(steady.now()).toBe(1_800_000_000_010)
  expect(steady.earliest()).toBe(1_800_000_000_010)
  expect(steady.latest()).toBe(1_800_003_600_010)
})

test('a jump that stands for ten minutes is believed; one that is undone is forgotten', () => {
  const clock = movableClock()
  const steady = createSteadyClock(clock)
  clock.jump(-3_600_000)
  expect(steady.now()).toBe(1_800_000_000_000)
  clock.pass(300_000)
  steady.now()
  // The wall clock is looked at ten times a second.
  clock.jump(3_600_000)
  clock.pass(100)
  steady.now()
  clock.jump(-3_600_000)
  clock.pass(100)
  steady.now()
  clock.pass(599_999)
  expect(steady.now()).toBe(1_800_000_900_199)
  clock.pass(100)
  expect(steady.now()).toBe(1_800_000_900_299 - 3_600_000)
})
