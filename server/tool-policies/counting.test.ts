import { expect, test } from 'bun:test'

import type { LimitDecision } from '../limits/limits.ts'
import { createCountCall } from './counting.ts'
import type { CountedRule } from './decide.ts'

const rule = (window: string): CountedRule => ({
  rule: `account ${window}`,
  level: 'account',
  window,
  limit: { units: 10, period: 'hour' },
  units: 2,
  what: 'calls',
  tools: ['*'],
})

/** Counts two rules with these decisions; returns what was given back. */
function counting(...decisions: readonly Partial<LimitDecision>[]) {
  const left = [...decisions]
  const givenBack: number[] = []
  const admit = () =>
    ({
      quotas: [],
      admittedAt: 0,
      giveBack: (units: number) => givenBack.push(units),
      ...left.shift(),
    }) as LimitDecision
  return { givenBack, count: () => createCountCall({ admit })([rule('one'), rule('two')], 'account') }
}

test('limits that cannot be counted are not said to be used up, and give back what was taken', async () => {
  const { givenBack, count } = counting({ kind: 'admitted' }, { kind: 'unavailable', retryAfterMs: 1_400 })
  await expect(count()).rejects.toMatchObject({ code: 'unavailable', retryAfterSec: 2 })
  expect(givenBack).toEqual([2])
})

test('the rule with the longest wait refuses, and what was taken is given back', async () => {
  const { givenBack, count } = counting(
    { kind: 'admitted' },
    { kind: 'refused', limit: 'credits', retryAfterMs: 61_000 },
  )
  expect(await count()).toEqual({ admitted: false, refusing: rule('two'), waitSec: 61 })
  expect(givenBack).toEqual([2])
})
