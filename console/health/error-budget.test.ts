import { expect, test } from 'bun:test'

import { monthBudgetText } from './error-budget.ts'

test('the budget of a month says what is left of it, and what was spent beyond', () => {
  const minute = 60_000
  expect(monthBudgetText({ budgetMs: 40 * minute, downMs: 24 * minute })).toEqual({
    left: '40% left',
    of: '24 min DOWN of 40 min allowed in the time watched this month',
  })
  expect(monthBudgetText({ budgetMs: 40 * minute, downMs: 45 * minute })?.left).toBe('spent, and 5 min more')
  expect(monthBudgetText({ budgetMs: 0, downMs: 0 })).toBeNull()
})
