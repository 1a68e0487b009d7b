import { historyRanges } from '../../shared/health-details.ts'
import type { HistoryRange } from '../../shared/health-details.ts'

export const historyRangeWords: Readonly<Record<HistoryRange, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '90d': '90 days',
}

export const rangeChoices = historyRanges.map((value) => ({ value, label: historyRangeWords[value] }))

/** Columns of a history bar: half an hour, two hours, a day each. */
export const cellCounts: Readonly<Record<HistoryRange, number>> = { '24h': 48, '7d': 84, '90d': 90 }

export const isRange = (value: unknown): value is HistoryRange =>
  historyRanges.some((range) => range === value)
