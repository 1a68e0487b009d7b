import { describe, expect, test } from 'bun:test'

import { RateLimitPause } from './upstream-client.ts'

const pausesAfter = (limits: readonly (readonly [at: number, retryAfterMs: number | null])[]) => {
  const pause = new RateLimitPause()
  return limits.map(([at, retryAfterMs]) => {
    pause.begin(at, retryAfterMs)
    return pause.remainingMs(at)
  })
}

test('nobody waits for a node that never limited us', () => {
  expect(new RateLimitPause().remainingMs(0)).toBe(0)
})

describe('the pause', () => {
  test('is what the node asks for, but for a second at least and five minutes at most', () => {
    expect(pausesAfter([[0, 7_000]])).toEqual([7_000])
    expect(pausesAfter([[0, 0]])).toEqual([1_000])
    expect(pausesAfter([[0, 86_400_000]])).toEqual([300_000])
  })

  test('doubles from one second to one minute where the node does not say', () => {
    let at = 0
    const limits = Array.from({ length: 8 }, () => [(at += 100_000), null] as const)
    expect(pausesAfter(limits)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  test('is lengthened once by calls that were in flight together, and never shortened', () => {
    expect(pausesAfter(Array.from({ length: 20 }, () => [0, null] as const)).at(-1)).toBe(1_000)
    expect(
      pausesAfter([
        [0, 90_000],
        [0, 5_000],
      ]),
    ).toEqual([90_000, 90_000])
  })

  test('begins at a second again after an answer', () => {
    const pause = new RateLimitPause()
    for (const at of [0, 10_000, 20_000]) pause.begin(at, null)
    pause.forgive()
    pause.begin(30_000, null)
    expect(pause.remainingMs(30_000)).toBe(1_000)
  })
})
