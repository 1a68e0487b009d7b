import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { limitBounds } from '../../shared/limits.ts'
import { periods } from '../../shared/periods.ts'
import { CreateQueryKeys, QueryKeyForm } from '../../shared/query-keys.ts'
import { effectiveLimits, unknownNames } from './terms.ts'

const limit = fc.record({
  units: fc.integer({ min: 1, max: limitBounds.units }),
  period: fc.constantFrom(...periods),
})
const maybe = fc.option(limit)

test('each limit is the one that is given, or else the default, whatever the other one is', () => {
  fc.assert(
    fc.property(maybe, maybe, maybe, maybe, (rate, credits, defaultRate, defaultCredits) => {
      const given = {
        ...(rate && { rateLimit: rate.units, rateLimitPeriod: rate.period }),
        ...(credits && { creditsLimit: credits.units, creditsLimitPeriod: credits.period }),
      }
      expect(CreateQueryKeys.safeParse([{ name: 'a', endpoint: 'b', ...given }]).success).toBe(true)
      expect(effectiveLimits(given, { rate: defaultRate, credits: defaultCredits })).toEqual({
        rate: rate ?? defaultRate,
        credits: credits ?? defaultCredits,
      })
    }),
  )
})

test('no limit is a choice where there is a default', () => {
  const usual = { units: 5, period: 'minute' } as const
  expect(effectiveLimits({ rateLimit: null }, { rate: usual, credits: usual })).toEqual({
    rate: null,
    credits: usual,
  })
  const form = { name: 'a', endpoint: 'b', creditsLimit: null }
  expect(QueryKeyForm.safeParse(form).success).toBe(true)
  expect(QueryKeyForm.safeParse({ ...form, creditsLimitPeriod: 'day' }).success).toBe(false)
  expect(CreateQueryKeys.safeParse([form]).success).toBe(true)
})

test('a name is unknown unless it is on the list, and the list is told up to a bound', () => {
  const known = { endpoints: Array.from({ length: 150 }, (_, place) => `e${place}`), types: ['freeRPC'] }
  expect(unknownNames({ type: 'freeRPC', endpoint: 'e149' }, known)).toEqual([])
  expect(unknownNames({ type: 'freeRPC' }, known)).toEqual([])
  const [problem, ...others] = unknownNames({ type: 'freeRPC', endpoint: 'toString' }, known)
  expect(others).toEqual([])
  expect(problem?.path).toEqual(['endpoint'])
  expect(problem?.message).toStartWith('expected one of "e0", "e1"')
  expect(problem?.message).toEndWith('"e99", …')
})
