import { describe, expect, test } from 'bun:test'

import { Limit, limitBounds } from './limits.ts'
import { periodMs, periods } from './periods.ts'
import { covers } from '../tests/support/covers.ts'

describe('a limit', () => {
  test.each([1, 1_024, 1_025, limitBounds.units])('may hold %d units', (units) => {
    expect(Limit.safeParse({ units, period: 'minute' }).success).toBe(true)
  })

  const notUnits = [
    0,
    -1,
    0.5,
    1.000_1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    limitBounds.units + 1,
    1e300,
    '5',
    null,
  ]
  test.each(notUnits)('may not hold %p', (units) => {
    covers('rate-limit-bounds', 'credits-limit-bounds')
    expect(Limit.safeParse({ units, period: 'minute' }).success).toBe(false)
  })

  test('counts over one of six periods, a month being 30 days', () => {
    covers('query-key-period-units')
    expect(periods.map((period) => periodMs[period] / 1_000)).toEqual([
      1, 60, 3_600, 86_400, 604_800, 2_592_000,
    ])
    for (const period of ['year', 'minutes', 'Minute', '', 60]) {
      expect(Limit.safeParse({ units: 1, period }).success).toBe(false)
    }
  })
})
