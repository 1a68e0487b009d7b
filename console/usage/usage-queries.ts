import type { UsageNumbers, UsageQuestion, UsageSeriesQuestion } from '../../shared/usage.ts'
import { trpc } from '../trpc.ts'
import { keyRows, methodRows } from './usage-rows.ts'
import type { UsageRow } from './usage-rows.ts'
import type { By } from './usage-view.ts'

/** The rows of a table, the busiest first. */
export interface UsageRows {
  readonly rows: readonly UsageRow[]
  /** Of all rows, those left out included. */
  readonly totals: UsageNumbers
  readonly isCut: boolean
}

export const usageTableQuery = (by: By, question: UsageQuestion) => ({
  key: ['usage', 'table', by, JSON.stringify(question)],
  query: () => (by === 'key' ? readKeys(question) : readMethods(question)),
})

async function readKeys(question: UsageQuestion): Promise<UsageRows> {
  const { rows, totals, isCut } = await trpc.usage.keys.query(question)
  return { rows: keyRows(rows, totals), totals, isCut }
}

async function readMethods(question: UsageQuestion): Promise<UsageRows> {
  const { rows, totals, isCut } = await trpc.usage.methods.query(question)
  return { rows: methodRows(rows, totals), totals, isCut }
}

export const usageSeriesQuery = (question: UsageSeriesQuestion) => ({
  key: ['usage', 'series', JSON.stringify(question)],
  query: () => trpc.usage.series.query(question),
})
