import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import type { Decision } from '../../../shared/health.ts'
import {
  manyRuns,
  now,
  policies,
  policy,
  published,
  report,
  reportOf,
  reports,
  runs,
  severityOf,
  shuffled,
} from './test-support/arbitraries.ts'
import { type EvaluationParams, type ServiceSnapshot, snapshot, snapshotOfLatest } from './snapshot.ts'
import { type Report, type Vote, vote } from './vote.ts'
import { covers } from '../../../tests/support/covers.ts'

const at = (known: Decision, fields: Partial<EvaluationParams> = {}): EvaluationParams => ({
  now,
  policy,
  minLive: 1,
  published: known,
  ...fields,
})
const rawOf = (given: Report[], known: Decision = 'UP') => snapshot(given, at(known)).raw
const severityOfVote: Record<Vote, number> = { ok: 0, lag: 1, bad: 2 }

describe('order and repetition', () => {
  test('permutation invariance', () => {
    const given = reports(1, 9).chain((list) => fc.tuple(fc.constant(list), shuffled(list)))
    fc.assert(
      fc.property(given, published, ([list, other], known) => {
        expect(snapshot(other, at(known))).toEqual(snapshot(list, at(known)))
      }),
      runs,
    )
  })

  test('permutation invariance holds although verifiers contradict themselves at one instant', () => {
    const twoInstants = fc.constantFrom(now - 2, now - 1)
    const anyOfTwo = fc.constantFrom('v0', 'v1').chain((id) => reportOf(id, twoInstants))
    const contradicting = fc.array(anyOfTwo, { minLength: 2, maxLength: 8 })
    const given = contradicting.chain((list) => fc.tuple(fc.constant(list), shuffled(list)))
    fc.assert(
      fc.property(given, published, policies, ([list, other], known, overrides) => {
        const evaluation = at(known, { policy: { ...policy, ...overrides } })
        expect(snapshot(other, evaluation)).toEqual(snapshot(list, evaluation))
      }),
      runs,
    )
  })

  test('of two reports at one instant the worse counts', () => {
    const evaluation = at('UP')
    const [none, some] = [report(1), report(1, { lagBlocks: 3, lagSec: 30 })]
    expect(snapshot([none, some], evaluation).avgBlocksLatency).toBe(3)
    expect(snapshot([some, none], evaluation).avgTimeLatency).toBe(30)
    expect(rawOf([none, report(1, { ok: false })])).toBe('DOWN')
    expect(rawOf([report(1, { ok: false }), none])).toBe('DOWN')
  })

  test('staleness: a report older than freshMs changes nothing; an older duplicate changes nothing', () => {
    fc.assert(
      fc.property(reports(1, 9), published, reportOf('zz'), (list, known, extra) => {
        const expected = snapshot(list, at(known))
        const stale = { ...extra, at: now - policy.freshMs - 1 }
        expect(snapshot([...list, stale], at(known))).toEqual(expected)
        for (const first of list.slice(0, 1)) {
          const older = { ...extra, verifierId: first.verifierId, at: first.at - 1 }
          expect(snapshot([...list, older], at(known))).toEqual(expected)
          expect(snapshot([older, ...list], at(known))).toEqual(expected)
        }
      }),
      runs,
    )
  })

  test('a report exactly freshMs old is live, one from the future is not and hides nothing', () => {
    expect(snapshot([report(1, { at: now - policy.freshMs })], at('UP')).liveVerifiers).toBe(1)
    expect(snapshot([report(1, { at: now + 1 })], at('UP')).raw).toBe('UNKNOWN')
    expect(snapshot([report(1), report(1, { at: now + 1, ok: false })], at('UP')).raw).toBe('UP')
  })

  test('one verifier one vote: replaying or duplicating reports changes nothing', () => {
    fc.assert(
      fc.property(reports(1, 9), published, (list, known) => {
        expect(snapshot([...list, ...list, ...list], at(known))).toEqual(snapshot(list, at(known)))
      }),
      runs,
    )
  })

  test('for one report per verifier the short way says the same, stale ones included', () => {
    const withStale = reports(0, 9).map((list) =>
      list.map((one, index) => (index % 3 === 2 ? { ...one, at: one.at - policy.freshMs } : one)),
    )
    fc.assert(
      fc.property(withStale, published, fc.integer({ min: 1, max: 9 }), (list, known, minLive) => {
        expect(snapshotOfLatest(list, at(known, { minLive }))).toEqual(snapshot(list, at(known, { minLive })))
      }),
      runs,
    )
  })
})

describe('liars', () => {
  test('a lying minority cannot flip a unanimous honest decision', () => {
    const unanimous = reports(3, 9, 'honest').map((list) =>
      list.map((one) => ({ ...list[0], verifierId: one.verifierId, at: one.at }) as Report),
    )
    const given = unanimous.chain((honest) =>
      fc.tuple(fc.constant(honest), reports(0, honest.length - 1, 'liar')),
    )
    fc.assert(
      fc.property(given, published, ([honest, liars], known) => {
        const targets = honest.map((one) => severityOfVote[vote(one, policy, known)])
        expect(severityOf(rawOf([...honest, ...liars], known))).toBe(Math.max(...targets))
      }),
      manyRuns,
    )
  })

  test('the decision is within the honest range for any lying minority', () => {
    const given = reports(2, 9, 'honest').chain((honest) =>
      fc.tuple(fc.constant(honest), reports(0, honest.length - 1, 'liar')),
    )
    fc.assert(
      fc.property(given, published, ([honest, liars], known) => {
        const votes = honest.map((one) => severityOfVote[vote(one, policy, known)])
        const severity = severityOf(rawOf([...honest, ...liars], known))
        expect(severity).toBeGreaterThanOrEqual(Math.min(...votes))
        expect(severity).toBeLessThanOrEqual(Math.max(...votes))
      }),
      manyRuns,
    )
  })

  test('monotone: making any one report worse never improves the raw decision', () => {
    const lagMore = fc.integer({ min: 1, max: 1_000 })
    fc.assert(
      fc.property(
        reports(1, 9),
        published,
        policies,
        fc.nat(),
        lagMore,
        fc.boolean(),
        (list, known, overrides, pick, more, isKilled) => {
          const evaluation = at(known, { policy: { ...policy, ...overrides } })
          const worsened = list.map((one, index): Report => {
            if (index !== pick % list.length) return one
            if (isKilled) return { ...one, ok: false, error: 'TIMEOUT' }
            return { ...one, lagBlocks: Math.max(0, one.lagBlocks) + more, lagSec: one.lagSec + more }
          })
          const before = severityOf(snapshot(list, evaluation).raw)
          expect(severityOf(snapshot(worsened, evaluation).raw)).toBeGreaterThanOrEqual(before)
        },
      ),
      runs,
    )
  })
})

describe('quorum and numbers', () => {
  test('below minLive UNKNOWN and zero lags; quorumExpiresAt is exact', () => {
    covers('health-quorum')
    fc.assert(
      fc.property(reports(1, 9), published, fc.integer({ min: 1, max: 9 }), (list, known, minLive) => {
        const evaluation = at(known, { minLive })
        const result = snapshot(list, evaluation)
        if (list.length < minLive) {
          expect(result.raw).toBe('UNKNOWN')
          expect([result.avgBlocksLatency, result.avgTimeLatency]).toEqual([0, 0])
          expect(result.quorumExpiresAt).toBe(now)
          return
        }
        const last = { ...evaluation, now: result.quorumExpiresAt }
        expect(snapshot(list, last).raw).not.toBe('UNKNOWN')
        expect(snapshot(list, { ...last, now: last.now + 1 }).raw).toBe('UNKNOWN')
      }),
      runs,
    )
  })

  test('nobody is never a quorum, not even if the policy asks for none', () => {
    expect(snapshot([], at('UP', { minLive: 0 })).raw).toBe('UNKNOWN')
  })

  test('outputs are non-negative safe integers', () => {
    fc.assert(
      fc.property(reports(0, 9), published, (list, known) => {
        const result: ServiceSnapshot = snapshot(list, at(known))
        for (const count of [result.liveVerifiers, result.avgBlocksLatency, result.avgTimeLatency]) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
        }
        expect(result.votes.ok + result.votes.lag + result.votes.bad).toBe(result.liveVerifiers)
      }),
      runs,
    )
  })

  test('failing and worthless reports are live but have no part in the averages', () => {
    covers('health-live-verifiers-meaning')
    const result = snapshot(
      [
        report(1, { lagBlocks: 4, lagSec: 40 }),
        report(2, { ok: false, lagBlocks: 90, lagSec: 900 }),
        report(3, { error: 'FORKED', lagBlocks: 90, lagSec: 900 }),
      ],
      at('UP'),
    )
    expect(result).toEqual({
      raw: 'DOWN',
      liveVerifiers: 3,
      avgBlocksLatency: 4,
      avgTimeLatency: 40,
      votes: { ok: 1, lag: 0, bad: 2 },
      quorumExpiresAt: now - 1 + policy.freshMs,
    })
  })

  test('averages are 0 when nobody answered', () => {
    covers('health-averages-meaning')
    const result = snapshot([report(1, { ok: false, lagBlocks: 9, lagSec: 9 })], at('UP'))
    expect([result.avgBlocksLatency, result.avgTimeLatency]).toEqual([0, 0])
  })
})

describe('examples', () => {
  test('ties go to the milder state', () => {
    covers('health-raw-decision')
    const failed = { ok: false }
    const behind = { lagBlocks: 9 }
    expect(rawOf([report(1), report(2, failed)])).toBe('UP')
    expect(rawOf([report(1), report(2), report(3, failed), report(4, failed)])).toBe('UP')
    expect(rawOf([report(1), report(2, behind), report(3, behind)])).toBe('LATENCY')
    expect(rawOf([report(1), report(2, behind), report(3, failed)])).toBe('LATENCY')
  })

  test('wrong chain, wrong genesis, future head, fork: DOWN though the probe succeeded', () => {
    for (const error of ['WRONG_CHAIN', 'WRONG_GENESIS', 'FUTURE_HEAD', 'FORKED'] as const) {
      expect(rawOf([report(1, { error })])).toBe('DOWN')
    }
  })

  test('a service ahead of the reference has lag 0', () => {
    const ahead = report(1, { lagBlocks: -500, lagSec: -900 })
    const level = report(2, { lagBlocks: 2, lagSec: 24 })
    expect(snapshot([ahead], at('UP'))).toMatchObject({ raw: 'UP', avgBlocksLatency: 0, avgTimeLatency: 0 })
    expect(snapshot([ahead, level], at('UP'))).toMatchObject({ avgBlocksLatency: 1, avgTimeLatency: 12 })
  })

  test('hopelessly stale is DOWN, thresholds are strict', () => {
    expect(rawOf([report(1, { lagBlocks: 5, lagSec: 60 })])).toBe('UP')
    expect(rawOf([report(1, { lagBlocks: 6 })])).toBe('LATENCY')
    expect(rawOf([report(1, { lagBlocks: 101 })])).toBe('DOWN')
    expect(rawOf([report(1, { lagBlocks: 3 })], 'LATENCY')).toBe('LATENCY')
  })
})
