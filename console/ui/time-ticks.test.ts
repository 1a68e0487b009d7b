import { expect, test } from 'bun:test'

import { timeTicks } from './time-ticks.ts'

const hour = 3_600_000
const day = 24 * hour
const at = (text: string): number => Date.parse(text)
const shown = (ticks: readonly number[]): string[] =>
  ticks.map((tick) => new Date(tick).toISOString().slice(5, 16))

test('stand at full hours, never more than asked for', () => {
  const from = at('2026-01-31T09:10:00Z')
  expect(shown(timeTicks(from, from + day, 6, 0))).toEqual([
    '01-31T12:00',
    '01-31T18:00',
    '02-01T00:00',
    '02-01T06:00',
  ])
  for (const count of [2, 3, 5, 8, 13]) {
    for (const length of [hour, day, 7 * day, 90 * day]) {
      const ticks = timeTicks(from, from + length, count, 0)
      expect(ticks.length).toBeWithin(1, count + 2)
      expect(ticks.every((tick) => tick >= from && tick <= from + length)).toBe(true)
    }
  }
})

test('days begin at the midnight of the reader', () => {
  const from = at('2026-01-01T00:00:00Z')
  expect(shown(timeTicks(from, from + 3 * day, 3, 5.5 * hour))).toEqual([
    '01-01T18:30',
    '01-02T18:30',
    '01-03T18:30',
  ])
})
