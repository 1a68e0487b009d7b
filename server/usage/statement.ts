import { csvText } from '../../shared/csv.ts'
import { monthAfter } from '../../shared/months.ts'
import type { StatementAnswer, StatementSum, StatementsQuery } from '../../shared/statement.ts'
import { statisticsBounds } from '../../shared/usage.ts'
import type { createAccountStatistics } from './statistics/account-statistics.ts'
import type { createAccountSums } from './statistics/account-sums.ts'

const titles = ['month', 'key id', 'name', 'endpoint', 'calls', 'credits', 'answered', 'errors', 'refused']

/** What an account used in a month of UTC: a line for each key, the deleted ones among them, and the sum of all. */
export async function readStatement(
  { keys }: Pick<ReturnType<typeof createAccountStatistics>, 'keys'>,
  accountId: string,
  month: string,
): Promise<StatementAnswer> {
  const question = {
    from: `${month}-01T00:00:00Z`,
    to: `${monthAfter(month)}-01T00:00:00Z`,
    granularity: 'total',
    limit: statisticsBounds.limit,
  } as const
  const lines: (string | number)[][] = []
  let cursor: string | undefined
  for (;;) {
    const asked = cursor === undefined ? question : { ...question, cursor }
    const { items, totals, nextCursor } = await keys(accountId, asked)
    for (const item of items) lines.push([month, item.keyId, item.name, item.endpoint, ...numbersOf(item)])
    if (nextCursor === null) {
      const sum = [month, '', 'all keys', '', ...numbersOf(totals)]
      const { requests: calls, credits } = totals
      return { month, calls, credits, csv: csvText([titles, ...lines, sum]) }
    }
    cursor = nextCursor
  }
}

/** What each account used in a month of UTC, in the order of their ids. */
export async function readStatementSums(
  { sumsBetween }: Pick<ReturnType<typeof createAccountSums>, 'sumsBetween'>,
  { month, after, limit }: StatementsQuery,
): Promise<StatementSum[]> {
  const span = { from: Date.parse(month), to: Date.parse(monthAfter(month)) }
  const sums = await sumsBetween({ ...span, after, limit })
  return sums.map(({ accountId: account, calls, credits }) => ({ account, calls, credits }))
}

interface Counted {
  readonly requests: number
  readonly credits: number
  readonly ok: number
  readonly errors: number
  readonly rateLimited: number
  readonly creditLimited: number
}

const numbersOf = ({ requests, credits, ok, errors, rateLimited, creditLimited }: Counted): number[] => [
  requests,
  credits,
  ok,
  errors,
  rateLimited + creditLimited,
]
