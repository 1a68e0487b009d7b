import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { snapshotOfLatest } from './decide/snapshot.ts'
import {
  dueAfter,
  hasMissedExpiry,
  judgedBy,
  never,
  nextDue,
  notJudged,
  soonDue,
  withoutInstants,
} from './judgement.ts'
import { serviceOf } from './test-support/fixtures.ts'
import { someInstant as now } from './test-support/virtual-clock.ts'

const { policy } = serviceOf('a')
const seen = { at: now, ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 1 }
const snapshotAt = (at: number, changes: Partial<typeof seen> = {}) =>
  snapshotOfLatest([{ verifierId: 'v', ...seen, at, ...changes }], {
    now: at,
    policy,
    minLive: 1,
    published: 'UP',
  })
const judged = judgedBy(notJudged(now), snapshotAt(now), now, policy)

test('what was never judged is due at once, anything else a second after it was', () => {
  expect([soonDue(undefined), soonDue(notJudged(now)), soonDue(judged)]).toEqual([0, 0, now + 1_000])
})

describe('an observation', () => {
  const due = (changes: object, last: typeof seen | null = seen) =>
    dueAfter(judged, last, { ...seen, ...changes }, policy)

  test('that repeats the last one can wait', () => {
    expect(due({ at: now + 10_000 })).toBe(now + 5_000)
  })

  test.each([
    ['that says something else', { ok: false }, seen],
    ['of a verifier that was silent', {}, null],
    ['of one whose last did not count any more', {}, { ...seen, at: now - policy.freshMs - 1 }],
  ])('%s cannot', (_, changes, last) => {
    expect(due(changes, last)).toBe(now + 1_000)
  })

  test('is always judged before the quorum runs out, if there is a second left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: policy.freshMs }), (age) => {
        const at = now + age
        const judgement = judgedBy(
          notJudged(at),
          { ...snapshotAt(now), quorumExpiresAt: now + policy.freshMs },
          at,
          policy,
        )
        const dueAt = dueAfter(judgement, { ...seen, at }, { ...seen, at: at + 1 }, policy)
        expect(dueAt).toBeLessThanOrEqual(Math.max(at + 1_000, judgement.expiresAt - 1_000))
        expect(dueAt).toBeGreaterThanOrEqual(at + 1_000)
      }),
    )
  })
})

test('with nothing new: soon while the raw signal waits, else when the quorum runs out', () => {
  expect(nextDue(judged, snapshotAt(now), now)).toBe(now + policy.freshMs + 1)
  expect(nextDue(judged, snapshotAt(now, { ok: false }), now)).toBe(now + 1_000)
  const nobody = snapshotOfLatest([], { now, policy, minLive: 1, published: 'UNKNOWN' })
  expect(nextDue(notJudged(now), nobody, now)).toBe(never)
  expect(nextDue(notJudged(now), { ...nobody, liveVerifiers: 1 }, now)).toBe(now + 1_000)
})

test('an expiry is missed when nobody has judged for long after it', () => {
  expect(hasMissedExpiry(judged, judged.expiresAt + 5_000)).toBe(false)
  expect(hasMissedExpiry(judged, judged.expiresAt + 5_001)).toBe(true)
  expect(hasMissedExpiry(notJudged(now), Number.MAX_VALUE)).toBe(false)
  expect(hasMissedExpiry(withoutInstants(judged), Number.MAX_VALUE)).toBe(false)
})
