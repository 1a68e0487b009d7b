import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type Decision, decisions } from '../../../shared/health.ts'
import { timeInStates, uptime } from './uptime.ts'

const span = { from: 1_000, to: 2_000 }
const to = (at: number, decision: Decision) => ({ at, to: decision })

describe('time in states', () => {
  test('is weighted by time, not by the number of transitions', () => {
    const transitions = [to(500, 'UP'), to(1_900, 'DOWN'), to(1_950, 'LATENCY')]
    expect(timeInStates(transitions, [], span).byDecision).toEqual({
      UNKNOWN: 0,
      UP: 900,
      DOWN: 50,
      LATENCY: 50,
    })
  })

  test('before the first transition nobody watched', () => {
    expect(timeInStates([to(1_400, 'UP')], [], span)).toEqual({
      totalMs: 1_000,
      maintenanceMs: 0,
      notWatchedMs: 400,
      byDecision: { UNKNOWN: 0, UP: 600, DOWN: 0, LATENCY: 0 },
    })
    expect(timeInStates([], [], span).notWatchedMs).toBe(1_000)
  })

  test('a transition at the very beginning holds from there, one at the end does not count', () => {
    expect(timeInStates([to(1_000, 'UP'), to(2_000, 'DOWN')], [], span).byDecision).toEqual({
      UNKNOWN: 0,
      UP: 1_000,
      DOWN: 0,
      LATENCY: 0,
    })
  })

  test('maintenance is taken out, overlapping windows once', () => {
    const maintenance = [
      { from: 1_200, to: 1_400 },
      { from: 1_300, to: 1_500 },
      { from: 0, to: 1_050 },
    ]
    const time = timeInStates([to(0, 'DOWN')], maintenance, span)
    expect(time.maintenanceMs).toBe(350)
    expect(time.byDecision.DOWN).toBe(650)
  })

  test('always adds up to the span', () => {
    const transition = fc.record({
      at: fc.integer({ min: 0, max: 3_000 }),
      to: fc.constantFrom(...decisions),
    })
    const window = fc
      .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 500 }))
      .map(([from, length]) => ({ from, to: from + length }))
    fc.assert(
      fc.property(fc.array(transition), fc.array(window), (unsorted, maintenance) => {
        const transitions = unsorted.toSorted((left, right) => left.at - right.at)
        const { totalMs, maintenanceMs, notWatchedMs, byDecision } = timeInStates(
          transitions,
          maintenance,
          span,
        )
        const counted = Object.values(byDecision).reduce((sum, ms) => sum + ms, 0)
        expect(counted + maintenanceMs + notWatchedMs).toBe(totalMs)
        expect(Math.min(...Object.values(byDecision))).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

const of = (byDecision: Record<Decision, number>) =>
  uptime({ totalMs: 0, maintenanceMs: 0, notWatchedMs: 0, byDecision })

describe('uptime', () => {
  test('LATENCY is available but not healthy, UNKNOWN counts for neither side', () => {
    expect(of({ UP: 60, LATENCY: 20, DOWN: 20, UNKNOWN: 100 })).toEqual({
      availability: 0.8,
      healthy: 0.6,
      unknownShare: 0.5,
    })
  })

  test('is null rather than a guess when nothing was known', () => {
    expect(of({ UP: 0, LATENCY: 0, DOWN: 0, UNKNOWN: 10 })).toEqual({
      availability: null,
      healthy: null,
      unknownShare: 1,
    })
    expect(of({ UP: 0, LATENCY: 0, DOWN: 0, UNKNOWN: 0 }).unknownShare).toBeNull()
  })
})
