import { describe, expect, test } from 'bun:test'

import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'
import { hourPartsOfDay, hourPartStarts } from '../hour-parts.ts'
import { intervalOf } from './interval.ts'
import { dayAfter, dayIn, dayStartsIn, startOfDay } from '../../../shared/zone-days.ts'

const startsIn = (timeZone: string, from: string, to: string): string[] =>
  dayStartsIn(timeZone, Date.parse(from), Date.parse(to)).map((at) => new Date(at).toISOString())

const lengthsIn = (timeZone: string, from: string, to: string): number[] => {
  const starts = dayStartsIn(timeZone, Date.parse(from), Date.parse(to))
  return starts.slice(1).map((start, place) => (start - (starts[place] ?? 0)) / hourMs)
}

describe('days of a time zone', () => {
  test('begin at its midnight: at whole hours, half hours and quarters of UTC', () => {
    expect(startsIn('Asia/Kolkata', '2026-03-01T12:00:00Z', '2026-03-02T19:00:00Z')).toEqual([
      '2026-02-28T18:30:00.000Z',
      '2026-03-01T18:30:00.000Z',
      '2026-03-02T18:30:00.000Z',
    ])
    expect(startsIn('Asia/Kathmandu', '2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z')).toEqual([
      '2026-02-28T18:15:00.000Z',
    ])
    expect(startsIn('America/New_York', '2026-01-10T04:59:59Z', '2026-01-10T05:00:01Z')).toEqual([
      '2026-01-09T05:00:00.000Z',
      '2026-01-10T05:00:00.000Z',
    ])
  })

  test.each([
    ['Pacific/Kiritimati', '2026-03-01', '2026-02-28T10:00:00.000Z'],
    ['Pacific/Niue', '2026-03-01', '2026-03-01T11:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-01', '2026-02-28T18:30:00.000Z'],
    ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('of %s: %s begins at %s, and ends there, too', (zone, day, start) => {
    const at = startOfDay(zone, day)
    expect(new Date(at).toISOString()).toBe(start)
    expect([dayIn(zone, at - 1), dayIn(zone, at)]).toEqual([dayAfter(day, -1), day])
  })

  test('have 23 and 25 hours when clocks are changed, also where there is no midnight then', () => {
    expect(lengthsIn('Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-31T00:00:00Z')).toEqual([24, 23, 24])
    expect(lengthsIn('Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-27T00:00:00Z')).toEqual([24, 25, 24])
    expect(lengthsIn('Australia/Lord_Howe', '2026-04-04T12:00:00Z', '2026-04-06T14:00:00Z')).toContain(24.5)
    expect(startsIn('Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-24T12:00:01Z')).toEqual([
      '2026-04-23T22:00:00.000Z',
    ])
    expect(lengthsIn('Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-25T12:00:00Z')).toEqual([24, 23])
  })

  test('every day of every zone begins where a row of hours does', () => {
    const from = Date.UTC(2026, 0, 1)
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      for (let month = 0; month < 12; month += 3) {
        const at = Date.UTC(2026, month, 15)
        for (const start of dayStartsIn(timeZone, at, at + dayMs)) {
          const minute = ((start - from) / minuteMs) % 1_440
          expect([timeZone, hourPartStarts[Math.floor(minute / 15)]]).toEqual([timeZone, minute])
        }
      }
    }
    expect(hourPartsOfDay).toBe(37)
  })

  test('an interval may begin and end at a midnight of the zone', () => {
    const now = Date.UTC(2026, 2, 5, 7)
    const asked = { from: Date.UTC(2026, 2, 1, 18, 30), to: Date.UTC(2026, 2, 4, 18, 30) }
    const outcome = intervalOf({ ...asked, timeZone: 'Asia/Kolkata' }, 'day', now)
    expect(outcome).toMatchObject({ kind: 'interval', interval: { ...asked, days: null } })
    const inside = intervalOf(
      { from: asked.from + 1, to: asked.to - 1, timeZone: 'Asia/Kolkata' },
      'day',
      now,
    )
    expect(inside).toMatchObject({ interval: asked })
    expect(intervalOf({ from: now - 100 * dayMs, timeZone: 'Asia/Kolkata' }, 'day', now)).toMatchObject({
      kind: 'refused',
      field: 'from',
    })
  })

  test('by five minutes the last 48 hours are answered, and no more', () => {
    const now = Date.UTC(2026, 2, 5, 7, 3)
    expect(intervalOf({}, '5m', now)).toMatchObject({
      interval: { from: Date.UTC(2026, 2, 3, 7, 5), to: Date.UTC(2026, 2, 5, 7, 5) },
    })
    expect(intervalOf({ from: Date.UTC(2026, 2, 3, 7) }, '5m', now)).toMatchObject({ field: 'from' })
    expect(intervalOf({ from: now, to: now + 9 * dayMs }, '5m', now)).toMatchObject({ field: 'to' })
  })
})
