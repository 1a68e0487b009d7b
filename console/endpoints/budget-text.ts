import type { BudgetUse, UpstreamBudget } from '../../shared/upstream-budget.ts'

const shown = new Intl.NumberFormat('en')

/** How far a budget is used, in a few words. */
export function budgetText(budget: UpstreamBudget, use: BudgetUse | null): string {
  const used = use === null ? '0' : shown.format(use.used)
  if (budget === 'auto') {
    return use === null || use.amount === null
      ? 'budget: nothing learned yet'
      : `budget: learned, ${shown.format(use.amount)} requests in 10 s`
  }
  const unit = budget.requests === undefined ? 'credits' : 'requests'
  const amount = shown.format(budget.requests ?? budget.credits ?? 0)
  const per = typeof budget.per === 'number' ? `${budget.per} s` : budget.per
  return `budget: ${used} of ${amount} ${unit} this ${per}`.replace(/this (\d)/, 'in $1')
}
