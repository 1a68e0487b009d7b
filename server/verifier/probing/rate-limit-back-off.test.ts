import { expect, test } from 'bun:test'

import { createRateLimitBackOff } from './rate-limit-back-off.ts'

test('each refusal in a row doubles the pause, up to a minute', () => {
  const backOff = createRateLimitBackOff()
  const pauses: number[] = []
  let now = 1_000
  for (let refusal = 0; refusal < 6; refusal++) {
    backOff.record('a', 'RATE_LIMITED', 7, 5_000, now)
    let pause = 0
    while (backOff.pausedSince('a', now + pause)) pause += 1_000
    pauses.push(pause)
    now += pause
  }
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
})

test('meanwhile the refusal stands for the service, and only for it', () => {
  const backOff = createRateLimitBackOff()
  backOff.record('a', 'RATE_LIMITED', 7, 5_000, 0)
  expect(backOff.pausedSince('a', 9_999)).toEqual({ rttMs: 7 })
  expect(backOff.pausedSince('a', 10_000)).toBeNull()
  expect(backOff.pausedSince('b', 0)).toBeNull()
})

test('an answer ends it, and so does another failure', () => {
  for (const error of [null, 'TIMEOUT'] as const) {
    const backOff = createRateLimitBackOff()
    backOff.record('a', 'RATE_LIMITED', 7, 5_000, 0)
    backOff.record('a', error, 7, 5_000, 10_000)
    backOff.record('a', 'RATE_LIMITED', 7, 5_000, 20_000)
    expect(backOff.pausedSince('a', 29_999)).not.toBeNull()
    expect(backOff.pausedSince('a', 30_000)).toBeNull()
  }
})

test('services that are assigned no more are forgotten', () => {
  const backOff = createRateLimitBackOff()
  for (const id of ['a', 'b']) backOff.record(id, 'RATE_LIMITED', 7, 5_000, 0)
  backOff.keepOnly(new Set(['b']))
  expect(backOff.pausedSince('a', 1)).toBeNull()
  expect(backOff.pausedSince('b', 1)).not.toBeNull()
})
