import { UpstreamBudget } from '../../shared/upstream-budget.ts'
import type { BudgetUse } from '../../shared/upstream-budget.ts'

/** The budget of an upstream in the form. */
export interface BudgetDraft {
  readonly kind: 'none' | 'auto' | 'requests' | 'credits'
  readonly amount: string
  /** `day`, `month`, or a number of seconds. */
  readonly per: string
}

export const budgetKinds = [
  { value: 'none', label: 'No budget' },
  { value: 'requests', label: 'Requests' },
  { value: 'credits', label: 'Credits' },
  { value: 'auto', label: 'Learned from refusals' },
] as const

export const noBudget: BudgetDraft = { kind: 'none', amount: '', per: 'month' }

export function budgetDraft(budget: UpstreamBudget | null): BudgetDraft {
  if (budget === null) return noBudget
  if (budget === 'auto') return { ...noBudget, kind: 'auto' }
  const { requests, credits, per } = budget
  const kind = requests === undefined ? 'credits' : 'requests'
  return { kind, amount: String(requests ?? credits), per: String(per) }
}

/** Returns undefined for no budget. What was typed may be no budget; `budgetError` says so. */
export function budgetOf({ kind, amount, per }: BudgetDraft): UpstreamBudget | undefined {
  if (kind === 'none') return undefined
  const result = UpstreamBudget.safeParse(
    kind === 'auto' ? kind : { [kind]: numberIn(amount), per: numberIn(per) },
  )
  return result.success ? result.data : undefined
}

export const budgetError = (draft: BudgetDraft): string | null =>
  draft.kind !== 'none' && budgetOf(draft) === undefined
    ? 'A whole number, per day, month or a number of seconds.'
    : null

const numberIn = (text: string): number | string => {
  const plain = text.trim().replaceAll(',', '')
  return /^\d+$/.test(plain) ? Number(plain) : plain
}

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
