import { describe, expect, test } from 'bun:test'

import {
  dayFrom,
  daysOf,
  chartIntervalOf,
  intervalBefore,
  rangeProblem,
  unitsOf,
  usualUnit,
  zoneOf,
} from './usage-range.ts'
import type { LastLength, UsageRange } from './usage-range.ts'

const now = Date.parse('2026-02-10T15:25:00Z')
const last = (length: LastLength): UsageRange => ({ kind: 'last', length })
const days = (from: string, to: string): UsageRange => ({ kind: 'days', from, to })
const instant = (at: number | undefined) => (at === undefined ? 'now' : new Date(at).toISOString())

const before = (range: UsageRange, zone = 'UTC') => {
  const interval = intervalBefore(range, now, zone)
  return interval === null ? null : [instant(interval.from), instant(interval.to)]
}

describe('a range', () => {
  test('until now begins with a whole hour, or a whole day', () => {
    const beginnings = (['15m', '1h', '24h', '7d', '30d', '90d'] as const).map((length) => {
      const { from, to } = chartIntervalOf(last(length), now, 'UTC')
      return [instant(from), instant(to)]
    })
    expect(beginnings).toEqual([
      ['2026-02-10T15:15:00.000Z', 'now'], // with the five minutes that are under way
      ['2026-02-10T14:30:00.000Z', 'now'],
      ['2026-02-09T16:00:00.000Z', 'now'], // 24 hours with the one that is under way
      ['2026-02-04T00:00:00.000Z', 'now'], // 7 days with today
      ['2026-01-12T00:00:00.000Z', 'now'],
      ['2025-11-13T00:00:00.000Z', 'now'],
    ])
  })

  test('is of the days of the reader, while these are kept', () => {
    const zone = 'Asia/Kolkata'
    const week = chartIntervalOf(last('7d'), Date.parse('2026-02-10T19:00:00Z'), zone)
    expect(instant(week.from)).toBe('2026-02-04T18:30:00.000Z') // there it is the 11th already
    const day = { kind: 'days', from: '2026-01-31', to: '2026-01-31' } as const
    const { from, to } = chartIntervalOf(day, now, zone)
    expect([instant(from), instant(to)]).toEqual(['2026-01-30T18:30:00.000Z', '2026-01-31T18:30:00.000Z'])
    expect(daysOf(day, now, zone)).toEqual(day)
    const old = days('2025-10-01', '2025-10-03')
    expect([zoneOf(day, now, zone), zoneOf(last('30d'), now, zone), zoneOf(old, now, zone)]).toEqual([
      zone,
      zone,
      'UTC',
    ])
    expect(instant(chartIntervalOf(old, now, zone).from)).toBe('2025-10-01T00:00:00.000Z')
  })

  test('of the day on which clocks are put back is divided by hours', () => {
    const autumn = Date.parse('2026-10-30T12:00:00Z')
    expect(unitsOf(days('2026-10-25', '2026-10-25'), autumn, 'Europe/Berlin')).toEqual(['hour'])
    expect(usualUnit(days('2026-10-20', '2026-10-26'), autumn, 'Europe/Berlin')).toBe('hour')
  })

  test('of days holds the first and the last of them', () => {
    const { from, to } = chartIntervalOf(days('2026-01-31', '2026-02-01'), now, 'UTC')
    expect([instant(from), instant(to)]).toEqual(['2026-01-31T00:00:00.000Z', '2026-02-02T00:00:00.000Z'])
  })

  test('until now becomes days', () => {
    expect(daysOf(last('7d'), now, 'UTC')).toEqual({ kind: 'days', from: '2026-02-04', to: '2026-02-10' })
    expect(daysOf(last('24h'), now, 'UTC')).toEqual({ kind: 'days', from: '2026-02-09', to: '2026-02-10' })
  })

  test('is divided by what can be seen, and is kept', () => {
    const units = (range: UsageRange) => [usualUnit(range, now, 'UTC'), unitsOf(range, now, 'UTC').join()]
    expect(units(last('24h'))).toEqual(['hour', '5m,hour'])
    expect(units(last('15m'))).toEqual(['5m', '5m'])
    expect(units(last('90d'))).toEqual(['day', 'day'])
    expect(units(last('7d'))).toEqual(['hour', 'hour,day'])
    expect(units(last('30d'))).toEqual(['day', 'hour,day'])
    expect(units(days('2026-02-01', '2026-02-01'))).toEqual(['hour', 'hour'])
    expect(units(days('2026-01-01', '2026-02-10'))).toEqual(['day', 'day'])
    expect(unitsOf(days('2025-10-01', '2025-10-03'), now, 'UTC')).toEqual(['day'])
  })

  test('has a period of the same length before it, as much of it as there is of the range', () => {
    expect(before(last('15m'))).toEqual(['2026-02-10T15:00:00.000Z', '2026-02-10T15:15:00.000Z'])
    expect(before(last('24h'))).toEqual(['2026-02-08T16:00:00.000Z', '2026-02-09T16:00:00.000Z'])
    expect(before(last('7d'))).toEqual(['2026-01-28T00:00:00.000Z', '2026-02-03T15:25:00.000Z'])
    const berlin = before(last('7d'), 'Europe/Berlin')
    expect(berlin).toEqual(['2026-01-27T23:00:00.000Z', '2026-02-03T15:25:00.000Z'])
    expect(before(days('2026-02-01', '2026-02-03'))).toEqual([
      '2026-01-29T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ])
    expect(before(last('90d'))).toEqual(['2025-08-15T00:00:00.000Z', '2025-11-12T15:25:00.000Z'])
    expect(before(days('2025-11-20', '2025-12-01'))).toBeNull() // the hours before are not kept
  })

  test('of many days is of those of the reader only while all their hours are kept', () => {
    expect(zoneOf(last('90d'), now, 'Asia/Kolkata')).toBe('UTC')
    expect(zoneOf(last('90d'), now, 'America/New_York')).toBe('America/New_York')
  })

  test('that makes no sense says what to do', () => {
    const problem = (from: string, to: string) => rangeProblem(days(from, to), now, 'UTC')
    expect(problem('2026-02-01', '2026-02-10')).toBeNull()
    expect(problem('2026-02-02', '2026-02-01')).toContain('later than the last one')
    expect(problem('2027-02-02', '2027-02-03')).toContain('still to come')
    expect(problem('2025-01-01', '2026-02-10')).toBe('Choose 366 days at most.')
    expect(rangeProblem(last('30d'), now, 'UTC')).toBeNull()
  })
})

test('only a day of the calendar is a day', () => {
  expect(['2026-02-28', '2026-02-30', '2026-2-3', 'today', undefined, ['2026-02-28']].map(dayFrom)).toEqual([
    '2026-02-28',
    null,
    null,
    null,
    null,
    null,
  ])
})
