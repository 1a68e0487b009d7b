import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { snapshotOfLatest } from './decide/snapshot.ts'
import {
  hasMissedExpiry,
  isRepeated,
  isSameVote,
  judgedBy,
  never,
  nextDue,
  notJudged,
  settledSince,
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

describe('a repeated observation can wait', () => {
  const dueAt = nextDue(judged, snapshotAt(now), now)

  test('when the last one counts and the quorum lasts until the next look', () => {
    expect(settledSince(judged, dueAt, policy)).toBe(now - policy.freshMs)
    expect(settledSince(judged, judged.expiresAt, policy)).toBe(never)
    expect(settledSince(notJudged(now), now, policy)).toBe(never)
  })

  test('word for word, where the round trip is no word unless it is limited', () => {
    const limited = { ...policy, maxRttMs: 100 }
    expect(isRepeated(seen, { ...seen }, limited)).toBe(true)
    expect(isRepeated(seen, { ...seen, rttMs: 2 }, policy)).toBe(true)
    expect(isRepeated(seen, { ...seen, rttMs: 2 }, limited)).toBe(false)
    const changes = [{ ok: false }, { error: 'STALE' as const }, { lagBlocks: 1 }, { lagSec: 1 }]
    for (const change of changes) expect(isRepeated(seen, { ...seen, ...change }, policy)).toBe(false)
  })

  test('or in other words for the same vote', () => {
    expect(isSameVote(seen, { ...seen, lagBlocks: 1 }, policy, judged)).toBe(true)
    expect(isSameVote(seen, { ...seen, lagBlocks: policy.enterBlocks + 1 }, policy, judged)).toBe(false)
  })
})

describe('with nothing new the next look is', () => {
  const due = (quorumExpiresAt: number) => nextDue(judged, { ...snapshotAt(now), quorumExpiresAt }, now)

  test('within seconds while all is calm', () => {
    expect(nextDue(judged, snapshotAt(now), now)).toBe(now + 5_000)
  })

  test('before the quorum runs out if there is a second left, or just after it', () => {
    expect([due(now + 3_000), due(now + 1_500), due(now + 900)]).toEqual([
      now + 2_000,
      now + 1_000,
      now + 901,
    ])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: policy.freshMs }), (left) => {
        const lookAt = due(now + left)
        if (left > 1_000) expect(lookAt).toBeLessThan(now + left)
        else expect(lookAt).toBe(now + left + 1)
      }),
    )
  })

  test('soon while the raw signal waits or the quorum is not there, never when everybody has gone', () => {
    expect(nextDue(judged, snapshotAt(now, { ok: false }), now)).toBe(now + 1_000)
    const nobody = snapshotOfLatest([], { now, policy, minLive: 1, published: 'UNKNOWN' })
    expect(nextDue(notJudged(now), nobody, now)).toBe(never)
    expect(nextDue(notJudged(now), { ...nobody, liveVerifiers: 1 }, now)).toBe(now + 1_000)
  })
})

test('an expiry is missed when nobody has judged for long after it', () => {
  expect(hasMissedExpiry(judged, judged.expiresAt + 5_000)).toBe(false)
  expect(hasMissedExpiry(judged, judged.expiresAt + 5_001)).toBe(true)
  expect(hasMissedExpiry(notJudged(now), Number.MAX_VALUE)).toBe(false)
  expect(hasMissedExpiry(withoutInstants(judged), Number.MAX_VALUE)).toBe(false)
})
