import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { bucketsOf, intervalOf, type TimeSpan } from './interval.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'
import { latestInstant } from '../../../shared/instants.ts'

const now = Date.UTC(2026, 5, 15, 12, 34, 56)
const granularity = fc.constantFrom('total', 'hour', 'day')
const instant = fc.integer({ min: now - 400 * dayMs, max: now + dayMs })
const isWhole = (at: number, unitMs: number) => at % unitMs === 0

describe('the rows that answer a question', () => {
  test('cover its interval without gap or overlap, and hours only where they are kept', () => {
    fc.assert(
      fc.property(instant, instant, granularity, (from, to, by) => {
        const outcome = intervalOf({ from, to }, by, now)
        if (outcome.kind === 'refused') {
          const isAllowed = from < to && to - from < 30 * dayMs && now - from < 89 * dayMs
          return expect(isAllowed).toBe(false)
        }
        const { interval } = outcome
        expect(interval.from).toBeLessThanOrEqual(from)
        expect(interval.to).toBeGreaterThanOrEqual(to)
        expect(from - interval.from).toBeLessThan(dayMs)
        const parts: TimeSpan[] = [...interval.hours, ...(interval.days === null ? [] : [interval.days])]
        parts.sort((one, other) => one.from - other.from)
        expect(parts[0]?.from).toBe(interval.from)
        expect(parts.at(-1)?.to).toBe(interval.to)
        for (const [index, part] of parts.entries()) {
          expect(part.from).toBeLessThan(part.to)
          if (index > 0) expect(part.from).toBe(parts[index - 1]?.to ?? 0)
        }
        for (const span of interval.hours) {
          expect(isWhole(span.from, hourMs) && isWhole(span.to, hourMs)).toBe(true)
          expect(span.from).toBeGreaterThanOrEqual(now - 90 * dayMs)
        }
        if (interval.days !== null) {
          expect(isWhole(interval.days.from, dayMs) && isWhole(interval.days.to, dayMs)).toBe(true)
          expect(by).not.toBe('hour')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test.each(['total', 'hour', 'day', '5m'] as const)(
    'end within the years that can be stored, by %s',
    (by) => {
      for (const back of [0, 1, hourMs, dayMs, 20 * dayMs]) {
        const outcome = intervalOf({ from: latestInstant - back }, by, now)
        if (outcome.kind === 'interval') expect(outcome.interval.to).toBeLessThanOrEqual(latestInstant)
      }
      expect(intervalOf({ from: latestInstant }, by, now)).toMatchObject({ kind: 'refused', field: 'to' })
    },
  )

  test('buckets are all hours or days that an interval touches', () => {
    const from = Date.UTC(2026, 0, 1, 22)
    expect(bucketsOf({ from, to: from + 4 * hourMs }, 'day').map((at) => new Date(at).getUTCDate())).toEqual([1, 2]) // prettier-ignore
    expect(bucketsOf({ from, to: from + 4 * hourMs }, 'hour')).toHaveLength(4)
  })
})
