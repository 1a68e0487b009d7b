import { expect, test } from 'bun:test'

import { now, policy } from './test-support/arbitraries.ts'
import { initial, isFlapping } from './state-machine.ts'

const worsenedAt = (...worsenings: number[]) => ({ ...initial(now), worsenings })

test('three worsenings within the flap window are flapping, two are not', () => {
  expect(isFlapping(worsenedAt(), now, policy)).toBe(false)
  expect(isFlapping(worsenedAt(now - 2, now - 1), now, policy)).toBe(false)
  expect(isFlapping(worsenedAt(now - 3, now - 2, now - 1), now, policy)).toBe(true)
})

test('flapping ends when the window has passed', () => {
  const state = worsenedAt(now, now + 1, now + 2)
  expect(isFlapping(state, now + policy.flapWindowMs, policy)).toBe(true)
  expect(isFlapping(state, now + policy.flapWindowMs + 1, policy)).toBe(false)
})
