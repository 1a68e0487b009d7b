import { expect, test } from 'bun:test'

import { createWarmUp } from './warm-up.ts'

/** A process whose surroundings the test changes. */
function setUp(processes: number | null) {
  const world = { now: 0, isDecided: false, processes }
  const isWarmingUp = createWarmUp({
    clock: { monotonic: () => world.now },
    isDecided: () => world.isDecided,
    processes: () => world.processes,
  })
  return { world, isWarmingUp }
}

test('a process beside others waits for its first decisions, and does not go back', () => {
  const { world, isWarmingUp } = setUp(2)
  expect(isWarmingUp()).toBe(true)
  world.isDecided = true
  expect(isWarmingUp()).toBe(false)
  world.isDecided = false
  expect(isWarmingUp()).toBe(false)
})

test('but no longer than 15 seconds', () => {
  const { world, isWarmingUp } = setUp(2)
  world.now = 14_999
  expect(isWarmingUp()).toBe(true)
  world.now = 15_000
  expect(isWarmingUp()).toBe(false)
})

test('one that is alone does not wait; one that does not know yet waits', () => {
  expect(setUp(1).isWarmingUp()).toBe(false)
  const { world, isWarmingUp } = setUp(null)
  expect(isWarmingUp()).toBe(true)
  world.processes = 1
  expect(isWarmingUp()).toBe(false)
})
