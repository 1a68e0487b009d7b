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

/** A question about one's own usage, or, for operators, about that of an account. */
type Asked<Question> = Question & { readonly account?: string | undefined }

export const usageTableQuery = (by: By, question: Asked<UsageQuestion>) => ({
  key: ['usage', 'table', by, JSON.stringify(question)],
  query: () => (by === 'key' ? readKeys(question) : readMethods(question)),
})

async function readKeys({ account, ...question }: Asked<UsageQuestion>): Promise<UsageRows> {
  const { rows, totals, isCut } = await (account === undefined
    ? trpc.usage.keys.query(question)
    : trpc.operatorUsage.keys.query({ ...question, account }))
  return { rows: keyRows(rows, totals), totals, isCut }
}

async function readMethods({ account, ...question }: Asked<UsageQuestion>): Promise<UsageRows> {
  const { rows, totals, isCut } = await (account === undefined
    ? trpc.usage.methods.query(question)
    : trpc.operatorUsage.methods.query({ ...question, account }))
  return { rows: methodRows(rows, totals), totals, isCut }
}

export const usageSeriesQuery = ({ account, ...question }: Asked<UsageSeriesQuestion>) => ({
  key: ['usage', 'series', account ?? '', JSON.stringify(question)],
  query: () =>
    account === undefined
      ? trpc.usage.series.query(question)
      : trpc.operatorUsage.series.query({ ...question, account }),
})

type ClassQuestion = Parameters<typeof trpc.usage.classes.query>[0]
type UpstreamQuestion = Parameters<typeof trpc.usage.upstreams.query>[0]

/** What became of calls. */
export const usageClassesQuery = ({ account, ...question }: Asked<ClassQuestion>) => ({
  key: ['usage', 'classes', account ?? '', JSON.stringify(question)],
  query: () =>
    account === undefined
      ? trpc.usage.classes.query(question)
      : trpc.operatorUsage.classes.query({ ...question, account }),
})

/** What upstreams were asked for calls. */
export const usageUpstreamsQuery = ({ account, ...question }: Asked<UpstreamQuestion>) => ({
  key: ['usage', 'upstreams', account ?? '', JSON.stringify(question)],
  query: () =>
    account === undefined
      ? trpc.usage.upstreams.query(question)
      : trpc.operatorUsage.upstreams.query({ ...question, account }),
})
