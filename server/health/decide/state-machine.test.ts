import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import type { Decision } from '../../../shared/health.ts'
import { known, now, policy, published, reports, runs, severityOf } from './test-support/arbitraries.ts'
import { snapshot } from './snapshot.ts'
import { type HealthState, initial, step, upFor } from './state-machine.ts'
import { covers } from '../../../tests/support/covers.ts'

/** Feeds one raw signal every `tickMs` until it is published, and tells how long that took. */
function hold(state: HealthState, raw: Decision, from: number, tickMs = 5_000): [HealthState, number] {
  let current = state
  for (let tick = from + tickMs; tick <= from + policy.maxUpForMs + tickMs; tick += tickMs) {
    current = step(current, raw, tick, policy)
    if (current.published === raw) return [current, tick]
  }
  throw new Error(`${raw} was never published`)
}

/** The state after the given raw signals, one each second from `now` on. */
function after(...signals: Decision[]): HealthState {
  return signals.reduce((state, raw, second) => step(state, raw, now + second * 1_000, policy), initial(now))
}

const times = (count: number, raw: Decision): Decision[] => Array.from({ length: count }, () => raw)

describe('properties', () => {
  test('hysteresis: no oscillation at a constant input', () => {
    fc.assert(
      fc.property(reports(1, 9), (list) => {
        let state = initial(now)
        let flips = 0
        for (let tick = now; tick < now + 1_200_000; tick += 10_000) {
          const current = list.map((one) => ({ ...one, at: tick }))
          const evaluation = { now: tick, policy, minLive: 1, published: state.published }
          const next = step(state, snapshot(current, evaluation).raw, tick, policy)
          if (next.published !== state.published) flips++
          state = next
        }
        expect(flips).toBeLessThanOrEqual(2)
      }),
      { numRuns: 500 },
    )
  })

  test('a transition happens only after the raw signal held, continuously, for its hold', () => {
    const signals = fc.array(fc.tuple(known, fc.integer({ min: 1, max: 15_000 })), {
      minLength: 1,
      maxLength: 80,
    })
    fc.assert(
      fc.property(signals, (sequence) => {
        let state = initial(now)
        let tick = now
        const log: { at: number; severity: number }[] = []
        for (const [raw, elapsedMs] of sequence) {
          tick += elapsedMs
          log.push({ at: tick, severity: severityOf(raw) })
          const next = step(state, raw, tick, policy)
          if (next.published !== state.published && state.published !== 'UNKNOWN') {
            const to = severityOf(next.published)
            const isWorse = to > severityOf(state.published)
            const worseHoldMs = next.published === 'DOWN' ? policy.downForMs : policy.latencyForMs
            const since = tick - (isWorse ? worseHoldMs : policy.upForMs)
            const held = log.filter((entry) => entry.at >= since)
            expect(held.every(({ severity }) => (isWorse ? severity >= to : severity <= to))).toBe(true)
            expect(log.some((entry) => entry.at <= since)).toBe(true)
          }
          state = next
        }
      }),
      runs,
    )
  })

  test('a step is idempotent at one instant, and returns the same object where nothing changes', () => {
    const signals = fc.array(fc.tuple(published, fc.integer({ min: 1, max: 15_000 })), { maxLength: 40 })
    fc.assert(
      fc.property(signals, (sequence) => {
        let state = initial(now)
        let tick = now
        for (const [raw, elapsedMs] of sequence) {
          tick += elapsedMs
          state = step(state, raw, tick, policy)
          expect(step(state, raw, tick, policy)).toBe(state)
        }
      }),
      runs,
    )
  })

  test('a constant raw signal is always reached, within the longest hold', () => {
    fc.assert(
      fc.property(fc.array(published, { maxLength: 40 }), known, (past, constant) => {
        let state = initial(now)
        let tick = now
        for (const raw of past) {
          tick += 5_000
          state = step(state, raw, tick, policy)
        }
        if (state.published !== constant) [state] = hold(state, constant, tick)
        expect(state.published).toBe(constant)
      }),
      runs,
    )
  })
})

describe('transitions', () => {
  test('UNKNOWN is left at once, and reached at once without the timers', () => {
    covers('health-transition-to-unknown')
    for (const raw of ['UP', 'LATENCY', 'DOWN'] as const) {
      const state = after(raw)
      expect(state.published).toBe(raw)
      expect(state.worsenings).toEqual([])
      const lost = step(state, 'UNKNOWN', now + 1_000, policy)
      expect(lost).toEqual(initial(now + 1_000))
    }
  })

  test('timers do not survive UNKNOWN, worsenings do', () => {
    const down = after('UP', ...times(21, 'DOWN'))
    expect(down.worsenings).toEqual([now + 21_000])
    const lost = step(down, 'UNKNOWN', now + 22_000, policy)
    expect(lost.worsenings).toEqual(down.worsenings)
    expect(Object.values(lost.timers)).toEqual([null, null, null, null])
  })

  test('DOWN is published after 20 s, not a second earlier', () => {
    expect(after('UP', ...times(20, 'DOWN')).published).toBe('UP')
    const down = after('UP', ...times(21, 'DOWN'))
    expect(down).toMatchObject({ published: 'DOWN', since: now + 21_000 })
  })

  test('LATENCY is published after 30 s of LATENCY or worse', () => {
    expect(after('UP', ...times(30, 'LATENCY')).published).toBe('UP')
    expect(after('UP', ...times(31, 'LATENCY')).published).toBe('LATENCY')
    expect(after('UP', ...times(15, 'DOWN'), ...times(16, 'LATENCY')).published).toBe('LATENCY')
  })

  test('one good moment starts the hold again', () => {
    expect(after('UP', ...times(20, 'DOWN'), 'UP', ...times(20, 'DOWN')).published).toBe('UP')
    expect(after('UP', ...times(20, 'DOWN'), 'LATENCY', ...times(9, 'DOWN')).published).toBe('UP')
  })

  test('timers survive transitions: LATENCY turns DOWN by what was already held', () => {
    const latency = after('UP', ...times(11, 'LATENCY'), ...times(20, 'DOWN'))
    expect(latency.published).toBe('LATENCY')
    expect(step(latency, 'DOWN', now + 32_000, policy).published).toBe('DOWN')
  })

  test('DOWN becomes LATENCY when the signal is LATENCY or better for long enough', () => {
    const down = after(...times(1, 'DOWN'))
    const [state, at] = hold(down, 'LATENCY', now, 1_000)
    expect(state.published).toBe('LATENCY')
    expect(at - now).toBe(31_000)
    expect(state.worsenings).toEqual([])
    expect(after('DOWN', ...times(16, 'LATENCY'), ...times(15, 'UP')).published).toBe('LATENCY')
  })

  test('LATENCY and DOWN become UP after 30 s of UP', () => {
    for (const from of ['LATENCY', 'DOWN'] as const) {
      expect(after(from, ...times(30, 'UP')).published).toBe(from)
      expect(after(from, ...times(31, 'UP')).published).toBe('UP')
    }
  })
})

describe('flapping', () => {
  test('flap damping: the recovery hold doubles and is bounded', () => {
    let state = step(initial(now), 'UP', now, policy)
    let tick = now
    const holds: number[] = []
    for (let round = 0; round < 8; round++) {
      const [down, downAt] = hold(state, 'DOWN', tick)
      const [up, upAt] = hold(down, 'UP', downAt)
      holds.push(upAt - downAt)
      state = up
      tick = upAt
    }
    expect(holds.slice(0, 5)).toEqual([35_000, 65_000, 125_000, 245_000, 305_000])
    expect(Math.max(...holds)).toBe(305_000)
  })

  test('worsenings older than the flap window do not count', () => {
    const state = {
      ...initial(now),
      worsenings: [now - policy.flapWindowMs - 1, now - policy.flapWindowMs, now],
    }
    expect(upFor(state, now, policy)).toBe(2 * policy.upForMs)
    expect(upFor({ ...state, worsenings: [] }, now, policy)).toBe(policy.upForMs)
  })

  test('what is remembered is bounded in time and number', () => {
    const worsenings = Array.from({ length: 16 }, (_, index) => now - 16 + index)
    const state: HealthState = { ...after('UP', ...times(20, 'DOWN')), worsenings }
    const next = step(state, 'DOWN', now + 21_000, policy)
    expect(next.worsenings).toEqual([...worsenings.slice(1), now + 21_000])

    const old: HealthState = { ...state, worsenings: [now + 21_000 - policy.flapWindowMs - 1] }
    expect(step(old, 'DOWN', now + 21_000, policy).worsenings).toEqual([now + 21_000])
  })

  test('the state is plain JSON', () => {
    const state = after('UP', ...times(25, 'DOWN'))
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  })
})
