import { expect, test } from 'bun:test'

import { createRateLimitBackOff } from './rate-limit-back-off.ts'

const refused = { error: 'RATE_LIMITED', retryAfterMs: null, intervalMs: 5_000 } as const

const at = (serviceId: string) => ({ serviceId, endpoint: `https://${serviceId}.example/` })

test('each refusal in a row doubles the pause, up to a minute', () => {
  const backOff = createRateLimitBackOff()
  const pauses: number[] = []
  let now = 1_000
  for (let refusal = 0; refusal < 6; refusal++) {
    backOff.record(at('a'), refused, now)
    let pause = 0
    while (backOff.isPaused(at('a'), now + pause)) pause += 1_000
    pauses.push(pause)
    now += pause
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
})

test('meanwhile the service is not probed, and only that one', () => {
  const backOff = createRateLimitBackOff()
  backOff.record(at('a'), refused, 0)
  expect(backOff.isPaused(at('a'), 9_999)).toBe(true)
  expect(backOff.isPaused(at('a'), 10_000)).toBe(false)
  expect(backOff.isPaused(at('b'), 0)).toBe(false)
})

test('another address and another key are probed at once, and begin with a short pause of their own', () => {
  const moved = { ...at('a'), endpoint: 'https://elsewhere.example/' }
  for (const next of [moved, { ...at('a'), headers: { 'x-api-key': 'new' } }]) {
    const backOff = createRateLimitBackOff()
    backOff.record(at('a'), { ...refused, retryAfterMs: 600_000 }, 0)
    expect(backOff.isPaused(next, 1)).toBe(false)
    backOff.record(next, { ...refused, error: null }, 1)
    expect(backOff.isPaused(at('a'), 1)).toBe(true)
    backOff.record(next, refused, 1)
    expect([backOff.isPaused(next, 10_000), backOff.isPaused(next, 10_001)]).toEqual([true, false])
  }
})

test('an answer ends it, and so does another failure', () => {
  for (const error of [null, 'TIMEOUT'] as const) {
    const backOff = createRateLimitBackOff()
    backOff.record(at('a'), refused, 0)
    backOff.record(at('a'), { ...refused, error }, 10_000)
    backOff.record(at('a'), refused, 20_000)
    expect(backOff.isPaused(at('a'), 29_999)).toBe(true)
    expect(backOff.isPaused(at('a'), 30_000)).toBe(false)
  }
})

test('services that are assigned no more are forgotten', () => {
  const backOff = createRateLimitBackOff()
  for (const id of ['a', 'b']) backOff.record(at(id), refused, 0)
  backOff.keepOnly(new Set(['b']))
  expect(backOff.isPaused(at('a'), 1)).toBe(false)
  expect(backOff.isPaused(at('b'), 1)).toBe(true)
})

test.each([
  [30_000, 30_000],
  [0, 1_000],
  [86_400_000, 600_000],
])('a service that asks for %p ms is left alone for %p', (retryAfterMs, pauseMs) => {
  const backOff = createRateLimitBackOff()
  backOff.record(at('a'), { ...refused, retryAfterMs }, 0)
  expect(backOff.isPaused(at('a'), pauseMs - 1)).toBe(true)
  expect(backOff.isPaused(at('a'), pauseMs)).toBe(false)
})
