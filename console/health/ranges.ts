import { historyRanges } from '../../shared/health-details.ts'
import type { HistoryRange } from '../../shared/health-details.ts'

export const historyRangeWords: Readonly<Record<HistoryRange, string>> = {
  '15m': '15 minutes',
  '1h': '60 minutes',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

/** The ranges whose uptime is told: that of minutes says little. */
export const uptimeRanges = ['24h', '7d', '90d'] as const satisfies readonly HistoryRange[]

export const rangeChoices = historyRanges.map((value) => ({ value, label: historyRangeWords[value] }))

/** Columns of a history bar: ten seconds, a minute, five minutes, half an hour, two hours, eight hours, a day each. */
export const cellCounts: Readonly<Record<HistoryRange, number>> = {
  '15m': 90,
  '1h': 60,
  '6h': 72,
  '24h': 48,
  '7d': 84,
  '30d': 90,
  '90d': 90,
}

export const isRange = (value: unknown): value is HistoryRange =>
  historyRanges.some((range) => range === value)
