import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { CircuitBreaker } from './circuit-breaker.ts'

const settings = { failuresToOpen: 5, firstPauseMs: 1_000, longestPauseMs: 30_000, trialMs: 10_000 } as const

function failed(times: number, at: number): CircuitBreaker {
  const breaker = new CircuitBreaker(settings)
  for (let count = 0; count < times; count++) breaker.fail(at)
  return breaker
}

test('opens after five failures one after the other', () => {
  const breaker = failed(4, 1_000)
  expect(breaker.state(1_000)).toBe('closed')
  breaker.succeed()
  breaker.fail(1_000)
  expect(breaker.state(1_000)).toBe('closed')
  expect(failed(5, 1_000).state(1_000)).toBe('open')
})

test('lets one call try after a second, and no other until that one ended', () => {
  const breaker = failed(5, 1_000)
  expect(breaker.state(1_999)).toBe('open')
  expect(breaker.state(2_000)).toBe('half-open')
  breaker.begin(2_000)
  expect(breaker.state(2_000)).toBe('open')
  breaker.succeed()
  expect(breaker.state(2_001)).toBe('closed')
})

test('doubles its pause with each try that fails, up to half a minute', () => {
  const breaker = failed(5, 0)
  const pauses: number[] = []
  let now = 0
  for (let count = 0; count < 7; count++) {
    const from = now
    while (breaker.state(now) === 'open') now += 100
    pauses.push(now - from)
    breaker.begin(now)
    breaker.fail(now)
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('a try that never ends does not keep it open for ever', () => {
  const breaker = failed(5, 0)
  breaker.begin(1_000)
  expect(breaker.state(10_999)).toBe('open')
  expect(breaker.state(11_000)).toBe('half-open')
})

test('is closed again after any success, whatever happened before', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('fail' as const, 'begin' as const), fc.nat(60_000)))
  fc.assert(
    fc.property(steps, (before) => {
      const breaker = new CircuitBreaker(settings)
      let now = 0
      for (const [step, afterMs] of before) breaker[step]((now += afterMs))
      breaker.succeed()
      expect(breaker.state(now)).toBe('closed')
    }),
  )
})
