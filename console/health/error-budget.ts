import type { ReportRow } from '../../shared/status-pages.ts'
import { duration } from './quantities.ts'

/**
 * What a month leaves of its error budget: `40% left`, and of how much. Null while no time counts, and the budget is
 * nothing yet.
 */
export function monthBudgetText({
  budgetMs,
  downMs,
}: Pick<ReportRow, 'budgetMs' | 'downMs'>): { left: string; of: string } | null {
  if (budgetMs <= 0) return null
  const leftMs = budgetMs - downMs
  const share = Math.floor((Math.abs(leftMs) / budgetMs) * 100)
  return {
    left: leftMs >= 0 ? `${share}% left` : `spent, and ${duration(-leftMs)} more`,
    of: `${duration(downMs)} DOWN of ${duration(budgetMs)} allowed in the time watched this month`,
  }
}
