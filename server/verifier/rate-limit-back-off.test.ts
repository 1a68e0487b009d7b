import { expect, test } from 'bun:test'

import { createRateLimitBackOff } from './rate-limit-back-off.ts'

test('each refusal in a row doubles the pause, up to a minute', () => {
  const backOff = createRateLimitBackOff()
  const pauses: number[] = []
  let now = 1_000
  for (let refusal = 0; refusal < 6; refusal++) {
    backOff.learn('a', 'RATE_LIMITED', 7, 5_000, now)
    let pause = 0
    while (backOff.sparedSince('a', now + pause)) pause += 1_000
    pauses.push(pause)
    now += pause
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
})

test('meanwhile the refusal stands for the service, and only for it', () => {
  const backOff = createRateLimitBackOff()
  backOff.learn('a', 'RATE_LIMITED', 7, 5_000, 0)
  expect(backOff.sparedSince('a', 9_999)).toEqual({ rttMs: 7 })
  expect(backOff.sparedSince('a', 10_000)).toBeNull()
  expect(backOff.sparedSince('b', 0)).toBeNull()
})

test('an answer ends it, and so does another failure', () => {
  for (const error of [null, 'TIMEOUT'] as const) {
    const backOff = createRateLimitBackOff()
    backOff.learn('a', 'RATE_LIMITED', 7, 5_000, 0)
    backOff.learn('a', error, 7, 5_000, 10_000)
    backOff.learn('a', 'RATE_LIMITED', 7, 5_000, 20_000)
    expect(backOff.sparedSince('a', 29_999)).not.toBeNull()
    expect(backOff.sparedSince('a', 30_000)).toBeNull()
  }
})

test('services that are assigned no more are forgotten', () => {
  const backOff = createRateLimitBackOff()
  for (const id of ['a', 'b']) backOff.learn(id, 'RATE_LIMITED', 7, 5_000, 0)
  backOff.keepOnly(new Set(['b']))
  expect(backOff.sparedSince('a', 1)).toBeNull()
  expect(backOff.sparedSince('b', 1)).not.toBeNull()
})
