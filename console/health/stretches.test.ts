import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { decisions } from '../../shared/health.ts'
import { cellReading } from './cell-reading.ts'
import { cellsOf, maxListed, stretchesOf } from './stretches.ts'

const transition = (at: number, from: (typeof decisions)[number], to: (typeof decisions)[number]) => ({
  at,
  from,
  to,
  reason: `${to} because`,
})
const past = (...transitions: ReturnType<typeof transition>[]) => ({ from: 100, to: 200, transitions })

describe('what a service was', () => {
  test('begins with what held before the range', () => {
    expect(stretchesOf(past(transition(40, 'UNKNOWN', 'UP'), transition(150, 'UP', 'DOWN')))).toEqual([
      { from: 100_000, to: 150_000, decision: 'UP', reason: 'UP because' },
      { from: 150_000, to: 200_000, decision: 'DOWN', reason: 'DOWN because' },
    ])
  })

  test('is not watched, and not UNKNOWN, before the first decision', () => {
    const [first] = stretchesOf(past(transition(130, 'UNKNOWN', 'UP')))
    expect(first).toMatchObject({ from: 100_000, to: 130_000, decision: null })
    expect(stretchesOf(past())).toMatchObject([{ from: 100_000, to: 200_000, decision: null }])
  })

  test('is what the first entry came from, where the list is cut', () => {
    const flapping = Array.from({ length: maxListed }, (_, index) =>
      index % 2 === 0 ? transition(130, 'DOWN', 'UP') : transition(130, 'UP', 'DOWN'),
    )
    expect(stretchesOf(past(...flapping))[0]).toMatchObject({ to: 130_000, decision: 'DOWN' })
  })
})

const histories = fc
  .tuple(
    fc.array(fc.record({ at: fc.integer({ min: 40, max: 199 }), to: fc.constantFrom(...decisions) }), {
      maxLength: 8,
    }),
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([steps, count]) => {
    const sorted = steps.toSorted((one, other) => one.at - other.at)
    const transitions = sorted.map(({ at, to }, index) =>
      transition(at, sorted[index - 1]?.to ?? 'UNKNOWN', to),
    )
    return { count, stretches: stretchesOf(past(...transitions)) }
  })

test('stretches and cells leave no time out, and count none twice', () => {
  fc.assert(
    fc.property(histories, ({ stretches, count }) => {
      expect(stretches[0]?.from).toBe(100_000)
      expect(stretches.at(-1)?.to).toBe(200_000)
      for (const [index, { from }] of stretches.slice(1).entries())
        expect(from).toBe(stretches[index]?.to ?? 0)
      const cells = cellsOf(stretches, count)
      expect(cells).toHaveLength(count)
      for (const decision of [...decisions, null]) {
        const inCells = cells.reduce(
          (sum, { byDecision, notWatchedMs }) =>
            sum + (decision === null ? notWatchedMs : byDecision[decision]),
          0,
        )
        const inStretches = stretches
          .filter((part) => part.decision === decision)
          .reduce((sum, { from, to }) => sum + to - from, 0)
        expect(inCells).toBeCloseTo(inStretches, 3)
      }
      for (const { from, to, byDecision, notWatchedMs } of cells) {
        const counted = Object.values(byDecision).reduce((sum, part) => sum + part, notWatchedMs)
        expect(counted).toBeCloseTo(to - from, 3)
      }
    }),
  )
})

test('a cell is read with its worst part first', () => {
  const byDecision = { UP: 1_740_000, DOWN: 60_000, LATENCY: 0, UNKNOWN: 0 }
  const cell = { from: 0, to: 1_800_000, byDecision, notWatchedMs: 0 }
  expect(cellReading(cell)).toEndWith(': DOWN 1 min, UP 29 min')
  expect(cellReading({ ...cell, notWatchedMs: 60_000 })).toEndWith('UP 29 min, not watched 1 min')
})
