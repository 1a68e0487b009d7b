import { expect, test } from 'bun:test'

import { inZone } from './test-support/in-zone.ts'
import { timeTicks } from './time-ticks.ts'

const hour = 3_600_000
const day = 24 * hour
const at = (text: string): number => Date.parse(text)
const shown = (ticks: readonly number[]): string[] =>
  ticks.map((tick) => new Date(tick).toISOString().slice(5, 16))

test('stand at full hours, never more than asked for', () => {
  const from = at('2026-01-31T09:10:00Z')
  expect(shown(timeTicks(from, from + day, 6, 'UTC'))).toEqual([
    '01-31T12:00',
    '01-31T18:00',
    '02-01T00:00',
    '02-01T06:00',
  ])
  for (const count of [2, 3, 5, 8, 13]) {
    for (const length of [hour, day, 7 * day, 90 * day]) {
      const ticks = timeTicks(from, from + length, count, 'UTC')
      expect(ticks.length).toBeWithin(1, count + 2)
      expect(ticks.every((tick) => tick >= from && tick <= from + length)).toBe(true)
    }
  }
})

const ticksIn = (zone: string, from: number, to: number, count: number): string[] =>
  shown(inZone(zone, () => timeTicks(from, to, count, 'here')))

test('days begin at the midnight of the reader', () => {
  const from = at('2026-01-01T00:00:00Z')
  const days = ['01-01T18:30', '01-02T18:30', '01-03T18:30']
  expect(ticksIn('Asia/Kolkata', from, from + 3 * day, 3)).toEqual(days)
})

test('days and hours stand where clocks show them, also where clocks are changed', () => {
  const week = ticksIn('Europe/Berlin', at('2026-03-26T10:00Z'), at('2026-04-02T10:00Z'), 7)
  expect(week.slice(0, 4)).toEqual(['03-26T23:00', '03-27T23:00', '03-28T23:00', '03-29T22:00'])
  expect(week.at(-1)).toBe('04-01T22:00')
  // From two o'clock to three, and from three o'clock to two.
  expect(ticksIn('Europe/Berlin', at('2026-03-29T00:00Z'), at('2026-03-29T02:00Z'), 3)).toEqual([
    '03-29T00:00',
    '03-29T01:00',
    '03-29T02:00',
  ])
  expect(ticksIn('Europe/Berlin', at('2026-10-25T00:30Z'), at('2026-10-25T03:00Z'), 3)).toEqual([
    '10-25T02:00',
    '10-25T03:00',
  ])
  // There is no midnight: the day begins an hour later.
  expect(ticksIn('America/Santiago', at('2026-09-05T10:00Z'), at('2026-09-07T10:00Z'), 2)).toEqual([
    '09-06T04:00',
    '09-07T03:00',
  ])
})
