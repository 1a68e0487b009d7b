import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { fault } from '../platform/fault.ts'
import { createFailureLimit } from './failure-limit.ts'
import { addFailure, emptyWindow, failuresIn, secondsUntilFree } from './failure-window.ts'

const refuse = () => {
  throw fault('unauthorized', 'no')
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return await attempt.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
}

describe('the limit of failures', () => {
  test('lets through what succeeds, however often, and refuses an address after its failures', async () => {
    const limit = createFailureLimit(3, () => 0)
    for (let times = 0; times < 20; times++) expect(await limit.hold('a', () => 7)).toBe(7)
    for (let times = 0; times < 3; times++) expect(await codeOf(limit.hold('a', refuse))).toBe('unauthorized')
    expect(await codeOf(limit.hold('a', () => 7))).toBe('rate_limited')
    expect(await codeOf(limit.hold('b', () => 7))).toBe('done')
  })

  test('other refusals and our own mistakes are not the caller’s failures', async () => {
    const limit = createFailureLimit(1, () => 0)
    await codeOf(
      limit.hold('a', () => {
        throw fault('invalid_request', 'no')
      }),
    )
    expect(await codeOf(limit.hold('a', () => 7))).toBe('done')
  })

  test('waiting as long as Retry-After says is enough', async () => {
    let now = 0
    const limit = createFailureLimit(2, () => now)
    for (const at of [0, 20_000]) {
      now = at
      await codeOf(limit.hold('a', refuse))
    }
    const error: unknown = await limit.hold('a', () => 7).catch((refusal: unknown) => refusal)
    const { retryAfterSec = 0 } = error as { retryAfterSec?: number }
    expect(retryAfterSec).toBeGreaterThan(0)
    now += retryAfterSec * 1000
    expect(await codeOf(limit.hold('a', () => 7))).toBe('done')
  })

  test('an IPv6 network counts as one', async () => {
    const limit = createFailureLimit(2, () => 0)
    await codeOf(limit.hold('2001:db8:1:2::1', refuse))
    await codeOf(limit.hold('2001:db8:1:2:ffff::9', refuse))
    expect(await codeOf(limit.hold('2001:db8:1:2:3::', () => 7))).toBe('rate_limited')
    expect(await codeOf(limit.hold('2001:db8:1:3::1', () => 7))).toBe('done')
  })
})

test('no minute, wherever it begins, holds more than the limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20_000), { maxLength: 100 }),
      fc.integer({ min: 1, max: 20 }),
      (gaps, limit) => {
        const window = emptyWindow()
        const counted: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          const before = failuresIn(window, now)
          addFailure(window, now, limit)
          if (failuresIn(window, now) > before) counted.push(now)
          expect(counted.filter((at) => at > now - 60_000).length).toBeLessThanOrEqual(limit)
          if (before >= limit) expect(secondsUntilFree(window, now, limit)).toBeGreaterThan(0)
        }
      },
    ),
  )
})
