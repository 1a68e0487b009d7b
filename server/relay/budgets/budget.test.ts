import { describe, expect, test } from 'bun:test'

import { CountedBudget, LearnedBudget, periodAt } from './budget.ts'

const at = (text: string): number => Date.parse(text)

test.each([
  ['day', '2026-11-23T23:59:59.999Z', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  [90, '2026-11-23T00:01:31Z', '2026-11-23T00:01:30Z', '2026-11-23T00:03:00Z'],
] as const)('a period of %s at %s', (per, now, from, to) => {
  expect(periodAt(per, at(now))).toEqual({ from: at(from), to: at(to) })
})

describe('a counted budget', () => {
  const now = at('2026-11-23T10:00:00Z')
  const tomorrow = at('2026-11-24T00:00:00Z')

  test('is spent to the last request, and whole again in the next period', () => {
    const budget = new CountedBudget({ requests: 3, per: 'day' })
    for (let n = 0; n < 3; n++) {
      expect(budget.waitMs(1, 20, now)).toBe(0)
      budget.spend(1, 20, now)
    }
    expect(budget.waitMs(1, 20, now)).toBe(tomorrow - now)
    expect(budget.waitMs(1, 20, tomorrow)).toBe(0)
    expect(budget.use(tomorrow)).toMatchObject({ used: 0, amount: 3 })
  })

  test('of credits counts credits, and a batch that does not fit is not sent', () => {
    const budget = new CountedBudget({ credits: 100, per: 'day' })
    budget.spend(2, 70, now)
    expect(budget.waitMs(1, 30, now)).toBe(0)
    expect(budget.waitMs(2, 31, now)).toBe(tomorrow - now)
  })

  test('counts what other processes spent, and keeps what was spent while it was written', () => {
    const budget = new CountedBudget({ requests: 10, per: 'day' })
    budget.spend(4, 0, now)
    const { from, units } = budget.unwritten(now)
    budget.spend(1, 0, now)
    budget.written(from, units, 9)
    expect(budget.use(now)).toMatchObject({ used: 10 })
    expect(budget.unwritten(now)).toMatchObject({ units: 1 })
  })

  test('forgets what was written of a period that is over', () => {
    const budget = new CountedBudget({ requests: 10, per: 'day' })
    budget.spend(4, 0, now)
    const { from, units } = budget.unwritten(now)
    budget.spend(2, 0, tomorrow)
    budget.written(from, units, 9)
    expect(budget.use(tomorrow)).toMatchObject({ used: 2 })
  })
})

const send = (budget: LearnedBudget, most: number, now: number): number => {
  let sent = 0
  while (sent < most && budget.waitMs(1, 1, now) === 0) {
    budget.spend(1, 1, now)
    sent++
  }
  return sent
}

describe('a learned budget', () => {
  test('lets everything through until the first refusal', () => {
    const budget = new LearnedBudget()
    expect(send(budget, 5_000, 0)).toBe(5_000)
    expect(budget.use(0).amount).toBeNull()
  })

  test('finds what a node that takes 100 in a window lets through, and stays near it', () => {
    const budget = new LearnedBudget()
    const passed: number[] = []
    let refused = 0
    for (let window = 0; window < 60; window++) {
      const now = window * 10_000
      let taken = 0
      for (let n = 0; n < 500; n++) {
        if (send(budget, 1, now) === 0) break
        if (taken < 100) taken++
        else {
          refused++
          budget.limited(now)
        }
      }
      passed.push(taken)
    }
    expect(Math.min(...passed.slice(5))).toBeGreaterThanOrEqual(80)
    expect(refused).toBeLessThan(900) // without a budget 24,000
  })

  test('takes a refusal just after a window has begun for one of the window before', () => {
    const budget = new LearnedBudget()
    send(budget, 500, 5_000)
    budget.limited(10_010)
    expect(budget.use(10_010).amount).toBe(450)
    send(budget, 5, 14_000)
    budget.limited(30_000) // after a window in which nothing was sent
    expect(budget.use(30_000).amount).toBe(1)
  })

  test('says when to come again', () => {
    const budget = new LearnedBudget()
    send(budget, 10, 2_000)
    budget.limited(2_000)
    expect(budget.waitMs(1, 1, 2_000)).toBe(8_000)
    expect(budget.waitMs(1, 1, 10_000)).toBe(0)
  })
})
