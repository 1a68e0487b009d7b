import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { decisions } from '../../../shared/health.ts'
import { decisionBar } from './decision-bar.ts'
import { timeInStates } from './uptime.ts'

const span = { from: 1_000, to: 2_000 }

test('shares out what held when', () => {
  const transitions = [
    { at: 400, to: 'UP' },
    { at: 1_100, to: 'DOWN' },
    { at: 1_600, to: 'UP' },
  ] as const
  const bar = decisionBar(transitions, [{ from: 1_300, to: 1_400 }], span, 4)
  expect(
    bar.map(({ from, byDecision, maintenanceMs }) => [from, byDecision.UP, byDecision.DOWN, maintenanceMs]),
  ).toEqual([
    [1_000, 100, 150, 0],
    [1_250, 0, 150, 100],
    [1_500, 150, 100, 0],
    [1_750, 250, 0, 0],
  ])
})

test('before the first decision nobody watched', () => {
  const bar = decisionBar([{ at: 1_750, to: 'UP' }], [], span, 2)
  expect(bar.map(({ notWatchedMs, byDecision }) => [notWatchedMs, byDecision.UP])).toEqual([
    [500, 0],
    [250, 250],
  ])
})

test('its parts are the whole, wherever decisions and maintenance fall', () => {
  const instant = fc.integer({ min: 0, max: 3_000 })
  const transition = fc.record({ at: instant, to: fc.constantFrom(...decisions) })
  const window = fc.record({ from: instant, to: instant })
  fc.assert(
    fc.property(
      fc.array(transition),
      fc.array(window),
      fc.constantFrom(1, 2, 4, 8),
      (some, windows, parts) => {
        const transitions = some.toSorted((one, other) => one.at - other.at)
        const whole = timeInStates(transitions, windows, span)
        const bar = decisionBar(transitions, windows, span, parts)
        for (const decision of decisions) {
          const sum = bar.reduce((total, slice) => total + slice.byDecision[decision], 0)
          expect(sum).toBe(whole.byDecision[decision])
        }
        expect(bar.reduce((total, slice) => total + slice.notWatchedMs, 0)).toBe(whole.notWatchedMs)
      },
    ),
  )
})
