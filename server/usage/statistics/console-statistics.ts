import {
  type KeyUsage,
  type MethodUsage,
  statisticsBounds,
  type Traffic,
  type UsageQuestion,
  type UsageSeries,
  type UsageSeriesQuestion,
  type UsageTable,
} from '../../../shared/usage.ts'
import { bucketsOf } from './interval.ts'
import { bandsOf, keyUsage, methodUsage, trafficHour } from './shapes.ts'
import { intervalFor, labelsFor, type Sources } from './sources.ts'
import type { GroupBy } from './counted-rows.ts'
import { numbersOf } from './sums.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'

/** Answers the console's tables and charts, from the same counts as the Account API. */
export function createConsoleStatistics(sources: Sources) {
  const { store, flushFor, now } = sources

  async function readTable(accountId: string, by: GroupBy, question: UsageQuestion) {
    const asOf = now()
    const interval = intervalFor(question, question.isByFives === true ? '5m' : 'total', asOf)
    const known = await labelsFor(sources, accountId, question.keyId)
    await flushFor(accountId)
    const { limit } = statisticsBounds
    const grouping = { by, unit: null, order: 'busiest', after: null, limit: limit + 1 } as const
    const { groups, totals } = await store.groups(interval, { ...question, accountId }, grouping)
    const isCut = groups.length > limit
    const frame = { from: interval.from, to: interval.to, asOf, totals: numbersOf(totals), isCut }
    return { frame, groups: groups.slice(0, limit), known }
  }

  return {
    async keyTable(accountId: string, question: UsageQuestion): Promise<UsageTable<KeyUsage>> {
      const { frame, groups, known } = await readTable(accountId, 'key', question)
      return { ...frame, rows: groups.map((row) => keyUsage(row, known)) }
    },

    async methodTable(accountId: string, question: UsageQuestion): Promise<UsageTable<MethodUsage>> {
      const { frame, groups } = await readTable(accountId, 'method', question)
      return { ...frame, rows: groups.map(methodUsage) }
    },

    async series(accountId: string, question: UsageSeriesQuestion): Promise<UsageSeries> {
      const { by, granularity, measure, top } = question
      const asOf = now()
      const interval = intervalFor(question, granularity, asOf)
      const known = await labelsFor(sources, accountId, question.keyId)
      await flushFor(accountId)
      const filter = { ...question, accountId }
      const { rows, totals } = await store.series(interval, filter, { by, unit: granularity, measure, top })
      const { from, to } = interval
      const buckets = bucketsOf(interval, granularity)
      const labelOf = (id: string): string => (by === 'key' ? (known.get(id)?.name ?? 'deleted key') : id)
      const bands = bandsOf(rows, buckets, measure, labelOf)
      return { from, to, asOf, granularity, buckets, bands, totals: numbersOf(totals) }
    },

    /** Returns the last 24 hours of an account, or of all (null). */
    async traffic(accountId: string | null): Promise<Traffic> {
      const asOf = now()
      const interval = intervalFor({ from: asOf - dayMs + hourMs, to: asOf + 1 }, 'hour', asOf)
      await flushFor(accountId)
      const { rows, totals } = await store.periods(interval, { accountId }, 'hour')
      const byHour = new Map(rows.map((row) => [row.bucket.getTime(), row]))
      const hours = bucketsOf(interval, 'hour').map((at) => trafficHour(at, byHour.get(at)))
      return { from: interval.from, to: interval.to, asOf, hours, totals: numbersOf(totals) }
    },
  }
}
