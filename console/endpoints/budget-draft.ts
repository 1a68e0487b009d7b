import { UpstreamBudget } from '../../shared/upstream-budget.ts'

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
