import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import type { Limit } from '../../../shared/limits.ts'
import { periods } from '../../../shared/periods.ts'
import { createDecisionLog } from '../test-support/decision-log.ts'
import { arrivalPatterns, seededRandom } from '../test-support/arrivals.ts'
import { bucketsOfPeriod } from './ring.ts'
import {
  giveBack,
  largestExactLimit,
  cellsFor,
  latestInstantOf,
  take,
  used,
  waitFor,
  waitForMore,
  type Window,
  windowOver,
} from './window.ts'
import { covers } from '../../../tests/support/covers.ts'

const fresh = (limit: Limit): Window => windowOver(limit, new Float64Array(cellsFor(limit)))

/** How far back an admission may lie that a refusal is justified by. */
const lookBack = ({ units, periodMicros, bucketMicros }: Window): number =>
  units <= largestExactLimit ? periodMicros : bucketsOfPeriod * bucketMicros

const smallUnits = fc.integer({ min: 1, max: 8 })
const anyLimit: fc.Arbitrary<Limit> = fc.record({
  units: fc.oneof(smallUnits, fc.constantFrom(100, 1_023, 1_024, 1_025, 1_026, 5_000)),
  period: fc.constantFrom(...periods),
})

/** A step is a share of the period, with whole periods and sub-buckets (and one microsecond more or less) among them. */
const anyGap = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 2, noNaN: true }),
  fc.constantFrom(1, 1 / 60, 1 / 2, 61 / 60),
)
const anyStep = fc.record({
  gap: anyGap,
  nudge: fc.constantFrom(-1, 0, 0, 0, 1),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})
const anySteps = fc.array(anyStep, { maxLength: 120, size: 'max' })

/** Instants and costs of the steps; each cost is at most the limit. */
function* played(
  limit: Limit,
  window: Window,
  steps: readonly { gap: number; nudge: number; share: number }[],
) {
  let now = 1
  for (const { gap, nudge, share } of steps) {
    now += Math.max(0, Math.floor(gap * window.periodMicros) + nudge)
    yield { now, cost: Math.max(1, Math.round(share ** 3 * limit.units)) }
  }
}

describe('a window', () => {
  test('never holds more than the limit in any interval of the period, and every refusal is justified', () => {
    fc.assert(
      fc.property(anyLimit, anySteps, (limit, steps) => {
        const window = fresh(limit)
        const log = createDecisionLog()
        for (const { now, cost } of played(limit, window, steps)) {
          if (waitFor(window, cost, now) === 0) {
            take(window, cost, now)
            log.add(now, cost)
          } else {
            expect(log.since(now - lookBack(window)) + cost).toBeGreaterThan(limit.units)
          }
        }
        expect(log.mostIn(window.periodMicros)).toBeLessThanOrEqual(limit.units)
      }),
    )
  })

  test('says how long to wait: asking then succeeds, and for an exact log not a microsecond earlier', () => {
    fc.assert(
      fc.property(anyLimit, anySteps, (limit, steps) => {
        const window = fresh(limit)
        for (const { now, cost } of played(limit, window, steps)) {
          const wait = waitFor(window, cost, now)
          if (wait === 0) take(window, cost, now)
          else {
            const copy = { ...window, cells: window.cells.slice() }
            if (limit.units <= largestExactLimit) expect(waitFor(copy, cost, now + wait - 1)).toBe(1)
            expect(waitFor(copy, cost, now + wait)).toBe(0)
          }
        }
      }),
    )
  })

  test('tells how much is taken and when the first of it comes free', () => {
    fc.assert(
      fc.property(anyLimit, anySteps, (limit, steps) => {
        const window = fresh(limit)
        for (const { now, cost } of played(limit, window, steps)) {
          if (waitFor(window, cost, now) === 0) take(window, cost, now)
          const taken = used(window, now)
          const wait = waitForMore(window, taken, now)
          expect(wait === null).toBe(taken === 0)
          if (wait === null) continue
          const copy = { ...window, cells: window.cells.slice() }
          expect(used(copy, now + wait - 1)).toBe(taken)
          expect(used(copy, now + wait)).toBeLessThan(taken)
        }
      }),
    )
  })

  test('given back units count no more, and the others go on counting until they leave', () => {
    fc.assert(
      fc.property(anyLimit, anySteps, fc.infiniteStream(fc.nat({ max: 3 })), (limit, steps, choices) => {
        const window = fresh(limit)
        const kept = createDecisionLog()
        for (const { now, cost } of played(limit, window, steps)) {
          if (waitFor(window, cost, now) > 0) continue
          const before = used(window, now)
          const takenAt = take(window, cost, now)
          const returned = Math.min(cost, choices.next().value ?? 0)
          giveBack(window, returned, takenAt, now)
          expect(used(window, now)).toBe(before + cost - returned)
          kept.add(now, cost - returned)
          expect(used(window, now)).toBeGreaterThanOrEqual(kept.since(now - window.periodMicros))
          expect(used(window, now)).toBeLessThanOrEqual(kept.since(now - lookBack(window)))
        }
      }),
    )
  })

  test.each([100, 5_000])('gives back nothing that has left the interval (limit %i)', (units) => {
    const window = fresh({ units, period: 'minute' })
    const takenAt = take(window, 50, 1_000)
    const later = 1_000 + 2 * window.periodMicros
    take(window, 30, later)
    giveBack(window, 50, takenAt, later)
    expect(used(window, later)).toBe(30)
  })

  test.each([100, 5_000])('a clock that runs back opens nothing (limit %i)', (units) => {
    const window = fresh({ units, period: 'second' })
    const now = 90_000_000
    take(window, units, now)
    expect(waitFor(window, 1, now - 5_000_000)).toBeGreaterThan(0)
    expect(latestInstantOf(window)).toBeGreaterThan(now - window.bucketMicros)
    expect(waitFor(window, 1, now + window.periodMicros + window.bucketMicros + 1)).toBe(0)
  })

  test('state lies in nothing but its lanes', () => {
    fc.assert(
      fc.property(anyLimit, anySteps, (limit, steps) => {
        let window = fresh(limit)
        const twin = fresh(limit)
        for (const { now, cost } of played(limit, window, steps)) {
          window = windowOver(limit, window.cells.slice())
          expect(waitFor(window, cost, now)).toBe(waitFor(twin, cost, now))
          if (waitFor(window, cost, now) > 0) continue
          take(window, cost, now)
          take(twin, cost, now)
        }
      }),
      { numRuns: 30 },
    )
    expect(() => windowOver({ units: 7, period: 'day' }, new Float64Array(7))).toThrow(RangeError)
  })
})

describe('more than a million adversarial requests', () => {
  covers('rate-limit-bounds', 'credits-limit-bounds')
  const perRun = 8_000
  /** 142 years: beyond, numbers are no longer whole microseconds. */
  const lastInstant = 2 ** 52
  const allUnits = [1, 100, 1_024, 1_025, 3_000]
  const seed = 20_240_601
  let requests = 0

  test.each([...periods])('0 intervals of a %s above the limit', (period) => {
    const random = seededRandom(seed)
    for (const units of allUnits) {
      for (const [pattern, gap] of Object.entries(arrivalPatterns)) {
        const window = fresh({ units, period })
        const log = createDecisionLog()
        let now = 1
        let refused = 0
        for (let request = 0; request < perRun && now < lastInstant; request++) {
          requests++
          now += Math.max(0, gap(random, window.periodMicros, units))
          const cost = random() < 0.05 ? Math.ceil(random() * units) : 1
          if (waitFor(window, cost, now) === 0) {
            take(window, cost, now)
            log.add(now, cost)
          } else {
            refused++
            if (log.since(now - lookBack(window)) + cost <= units)
              throw new Error(`refused for nothing: ${pattern}`)
          }
        }
        const most = log.mostIn(window.periodMicros)
        expect({ pattern, units, isAbove: most > units }).toEqual({ pattern, units, isAbove: false })
        expect(refused).toBeGreaterThan(0)
      }
    }
  })

  test('it was more than a million', () => {
    expect(requests).toBeGreaterThan(1_000_000)
  })
})
