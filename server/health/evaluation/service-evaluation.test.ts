import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { snapshotOfLatest } from '../decide/snapshot.ts'
import {
  hasMissedExpiry,
  nextEvaluation,
  castsSameVote,
  never,
  nextDue,
  notEvaluated,
  settledSince,
  dueAfterChange,
  holdOf,
  withoutInstants,
} from './service-evaluation.ts'
import { serviceOf } from '../test-support/fixtures.ts'
import { someInstant as now } from '../test-support/virtual-clock.ts'

const { policy } = serviceOf('a')
const seen = { at: now, ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 1 }
const snapshotAt = (at: number, changes: Partial<typeof seen> = {}) =>
  snapshotOfLatest([{ verifierId: 'v', ...seen, at, ...changes }], {
    now: at,
    policy,
    minLive: 1,
    published: 'UP',
  })
const judged = nextEvaluation(notEvaluated(now), snapshotAt(now), now, policy)

test('what was never judged is due at once, anything else a second after it was', () => {
  expect([dueAfterChange(undefined), dueAfterChange(notEvaluated(now)), dueAfterChange(judged)]).toEqual([
    0,
    0,
    now + 1_000,
  ])
})

describe('a repeated observation can wait', () => {
  const dueAt = nextDue(judged, snapshotAt(now), now)

  test('when the last one counts and the quorum lasts until the next look', () => {
    expect(settledSince(judged, dueAt, policy)).toBe(now - policy.freshMs)
    expect(settledSince(judged, judged.expiresAt, policy)).toBe(never)
    expect(settledSince(notEvaluated(now), now, policy)).toBe(never)
  })

  test('when it means the same, in the same words or others', () => {
    const limited = { ...policy, maxRttMs: 100 }
    const means = (changes: object, by = policy) => castsSameVote(seen, { ...seen, ...changes }, by, judged)
    expect([means({}), means({ rttMs: 101 }), means({ lagBlocks: 1 })]).toEqual([true, true, true])
    expect([means({ ok: false }), means({ error: 'STALE' })]).toEqual([false, false])
    expect([means({ lagBlocks: policy.enterBlocks + 1 }), means({ lagSec: policy.enterSec + 1 })]).toEqual([
      false,
      false,
    ])
    expect([means({ rttMs: 100 }, limited), means({ rttMs: 101 }, limited)]).toEqual([true, false])
  })
})

const due = (quorumExpiresAt: number) => nextDue(judged, { ...snapshotAt(now), quorumExpiresAt }, now)

describe('with nothing new the next look is', () => {
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
        const dueAt = due(now + left)
        if (left > 1_000) expect(dueAt).toBeLessThan(now + left)
        else expect(dueAt).toBe(now + left + 1)
      }),
    )
  })

  test('soon while the raw signal waits or the quorum is not there, never when everybody has gone', () => {
    expect(nextDue(judged, snapshotAt(now, { ok: false }), now)).toBe(now + 1_000)
    const nobody = snapshotOfLatest([], { now, policy, minLive: 1, published: 'UNKNOWN' })
    expect(nextDue(notEvaluated(now), nobody, now)).toBe(never)
    expect(nextDue(notEvaluated(now), { ...nobody, liveVerifiers: 1 }, now)).toBe(now + 1_000)
  })
})

test('an expiry is missed when nobody has judged for long after it', () => {
  expect(hasMissedExpiry(judged, judged.expiresAt + 5_000)).toBe(false)
  expect(hasMissedExpiry(judged, judged.expiresAt + 5_001)).toBe(true)
  expect(hasMissedExpiry(notEvaluated(now), Number.MAX_VALUE)).toBe(false)
  expect(hasMissedExpiry(withoutInstants(judged), Number.MAX_VALUE)).toBe(false)
})

test('confirmed failures of a majority need no further hold', () => {
  const failing = { verifierId: 'v', ...seen, ok: false, error: 'CONNECT' as const }
  const of = (...confirmed: boolean[]) => confirmed.map((isConfirmed) => ({ ...failing, isConfirmed }))
  const down = snapshotAt(now, { ok: false })
  expect(holdOf(of(true), down)).toBe('confirmed')
  expect(holdOf(of(false), down)).toBe('usual')
  const threeLive = { ...down, liveVerifiers: 3 }
  expect(holdOf(of(true, false, false), threeLive)).toBe('usual')
  expect(holdOf(of(true, true, false), threeLive)).toBe('confirmed')
  expect(holdOf([{ ...failing, isConfirmed: true, inconsistent: 'lag' }], down)).toBe('usual')

  const usual = nextEvaluation(judged, down, now + 1, policy)
  expect(usual.state.published).toBe('UP')
  expect(nextEvaluation(judged, down, now + 1, policy, 'confirmed').state.published).toBe('DOWN')
})
