import { askedInstant, rfc3339 } from '../../shared/instants.ts'
import { toolCallBounds, toolCallOutcomes, type ToolCallOutcome } from '../../shared/tool-calls.ts'
import {
  type ToolCallNumbers,
  type ToolOutcomesAnswer,
  type ToolOutcomesQuery,
  type ToolOutcomesTable,
  type ToolStatistics,
  type ToolStatisticsAnswer,
  type ToolStatisticsBy,
  type ToolStatisticsQuery,
  type ToolUsage,
  type ToolUsageQuestion,
  type ToolUsageTable,
} from '../../shared/tool-statistics.ts'
import { dayMs } from '../../shared/durations.ts'
import { statisticsBounds } from '../../shared/usage.ts'
import { fault } from '../platform/fault.ts'
import type { CallCounts, CallGroup, Usage } from '../usage/usage.ts'

/** Returns the names of an account's API keys and agents by their id; empty for an account that has none. */
export type NamesOf = (accountId: string) => Promise<ReadonlyMap<string, string>>

export interface StatisticsOptions {
  readonly counted: Pick<Usage, 'statistics'>
  readonly namesOf: NamesOf
  readonly now: () => number
}

const mostOutcomes = 5_000

const groupings = { tool: 'method of endpoint', server: 'endpoint', key: 'key', account: 'account' } as const

/** Says in the words of tool calls what was counted. */
export function createToolStatistics({ counted: { statistics }, namesOf, now }: StatisticsOptions) {
  async function outcomesIn(
    accountId: string | null,
    ends: { readonly from?: number | undefined; readonly to?: number | undefined },
    server: string | undefined,
  ) {
    const to = ends.to ?? now() + 1
    const from = ends.from ?? to - toolCallBounds.outcomeDays * dayMs
    if (from >= to) throw fault('invalid_request', 'query parameter to: expected an instant later than from')
    const rows = await statistics.attemptsIn(accountId, { from, to }, server, mostOutcomes + 1)
    if (rows.length > mostOutcomes)
      throw fault(
        'invalid_request',
        'query parameter from: there is more than one answer holds; ask for less',
      )
    return { from, to, rows }
  }

  return {
    /** Answers `GET /account/statistics/tools`. Fault: `invalid_request` naming the parameter. */
    async tools(accountId: string, query: ToolStatisticsQuery): Promise<ToolStatisticsAnswer> {
      const { by, granularity, limit, cursor, timeZone } = query
      const filter = { accountId, keyId: query.keyId, endpoint: query.server, method: query.tool }
      const ends = { from: askedInstant(query.from), to: askedInstant(query.to) }
      const asked = { ...ends, timeZone, granularity, limit, page: { cursor } }
      const page = await statistics.grouped(groupings[by], filter, asked)
      const names = by === 'key' ? await namesOf(accountId) : nothing
      return {
        from: rfc3339(page.from),
        to: rfc3339(page.to),
        granularity,
        asOf: rfc3339(page.asOf),
        items: page.groups.map((group) => itemOf(group, by, names)),
        totals: numbersOf(page.totals),
        nextCursor: page.nextCursor,
      }
    },

    /** Answers `GET /account/statistics/tool-outcomes`. Fault: `invalid_request` naming the parameter. */
    async outcomes(accountId: string, query: ToolOutcomesQuery): Promise<ToolOutcomesAnswer> {
      const asOf = now()
      const ends = { from: askedInstant(query.from), to: askedInstant(query.to) }
      const { from, to, rows } = await outcomesIn(accountId, ends, query.server)
      return {
        from: rfc3339(from),
        to: rfc3339(to),
        asOf: rfc3339(asOf),
        items: rows.map(({ endpoint, upstream, class: outcome, attempts, took_ms: tookMs }) => ({
          server: endpoint,
          tool: upstream,
          outcome,
          calls: attempts,
          meanMs: Number((tookMs / Math.max(1, attempts)).toFixed(1)),
        })),
      }
    },

    /** Returns the busiest of an account, or of all (null). */
    async table(accountId: string | null, question: ToolUsageQuestion): Promise<ToolUsageTable> {
      const { by, from, to, keyId, server, tool } = question
      const filter = { accountId, keyId, endpoint: server, method: tool }
      const asked = { from, to, granularity: 'total', limit: statisticsBounds.limit } as const
      const page = await statistics.grouped(groupings[by], filter, asked)
      const names = by === 'key' && accountId !== null ? await namesOf(accountId) : nothing
      return {
        from: page.from,
        to: page.to,
        asOf: page.asOf,
        rows: page.groups.map((group) => usageOf(group, by, names)),
        totals: numbersOf(page.totals),
        isCut: page.isCut,
      }
    },

    /** Returns how many calls became of each outcome, of an account or of all (null). */
    async outcomeTable(
      accountId: string | null,
      { from, to, server }: Pick<ToolUsageQuestion, 'from' | 'to' | 'server'>,
    ): Promise<ToolOutcomesTable> {
      const { rows } = await outcomesIn(accountId, { from, to }, server)
      const sums = new Map<ToolCallOutcome, number>()
      for (const { class: name, attempts } of rows)
        if (isOutcome(name)) sums.set(name, (sums.get(name) ?? 0) + attempts)
      const outcomes = [...sums].map(([outcome, calls]) => ({ outcome, calls }))
      return { outcomes: outcomes.toSorted((one, other) => other.calls - one.calls) }
    },
  }
}

const nothing: ReadonlyMap<string, string> = new Map()

const isOutcome = (name: string): name is ToolCallOutcome => Object.hasOwn(toolCallOutcomes, name)

function numbersOf(counts: CallCounts): ToolCallNumbers {
  const { requests, ok, errors, unanswered, refused, credits, bytesIn, bytesOut, p50Ms, p95Ms } = counts
  return {
    calls: requests + refused,
    answered: ok,
    toolErrors: errors - unanswered,
    failed: unanswered,
    denied: refused,
    underWay: Math.max(0, requests - ok - errors),
    credits,
    bytesSent: bytesIn,
    bytesReceived: bytesOut,
    p50Ms,
    p95Ms,
  }
}

/** Returns what a group is of: `<server> <tool>`, a server, a key or an account. */
function subjectOf(id: string, by: ToolUsageQuestion['by'], names: ReadonlyMap<string, string>) {
  switch (by) {
    case 'tool': {
      const blank = id.indexOf(' ')
      return { server: id.slice(0, blank), tool: id.slice(blank + 1) }
    }
    case 'server':
      return { server: id }
    case 'key':
      return { keyId: id, name: names.get(id) ?? id }
    case 'account':
      return { accountId: id }
  }
}

function itemOf(group: CallGroup, by: ToolStatisticsBy, names: ReadonlyMap<string, string>): ToolStatistics {
  const { id, bucketAt, lastUsedAt } = group
  return {
    ...subjectOf(id, by, names),
    ...numbersOf(group),
    lastUsedAt: rfc3339(lastUsedAt),
    ...(bucketAt !== null && { bucket: rfc3339(bucketAt) }),
  }
}

const usageOf = (
  group: CallGroup,
  by: ToolUsageQuestion['by'],
  names: ReadonlyMap<string, string>,
): ToolUsage => ({
  server: null,
  tool: null,
  keyId: null,
  name: null,
  accountId: null,
  ...subjectOf(group.id, by, names),
  ...numbersOf(group),
  lastUsedAt: group.lastUsedAt,
})
