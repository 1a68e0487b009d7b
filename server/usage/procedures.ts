import * as z from 'zod/mini'

import { type StatementSum, StatementQuery, StatementsQuery } from '../../shared/statement.ts'
import { StatisticsQuery, UsageQuestion, UsageSeriesQuestion } from '../../shared/usage.ts'
import { ClassStatisticsQuery, UpstreamStatisticsQuery } from '../../shared/usage-splits.ts'
import { isFault } from '../platform/fault.ts'
import { type AccountIdOf, ofAnyAccount } from '../trpc/any-account.ts'
import { operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import { readStatement, readStatementSums } from './statement.ts'
import type { Usage } from './usage.ts'

const isNotFound = (error: unknown): boolean => isFault(error, 'not_found')

/** The usage of any account, for operators. */
export function usageOperatorProcedures(
  { statistics, accountSums }: Pick<Usage, 'statistics' | 'accountSums'>,
  accountIdOf: AccountIdOf,
) {
  return router({
    keys: operatorProcedure
      .input(z.safeExtend(UsageQuestion, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.keyTable(await accountIdOf(account), question),
      ),
    series: operatorProcedure
      .input(z.safeExtend(UsageSeriesQuestion, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.series(await accountIdOf(account), question),
      ),
    methods: operatorProcedure
      .input(z.safeExtend(UsageQuestion, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.methodTable(await accountIdOf(account), question),
      ),
    keyPage: operatorProcedure
      .input(z.safeExtend(StatisticsQuery, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.keys(await accountIdOf(account), question),
      ),
    methodPage: operatorProcedure
      .input(z.safeExtend(StatisticsQuery, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.methods(await accountIdOf(account), question),
      ),
    classes: operatorProcedure
      .input(z.safeExtend(ClassStatisticsQuery, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.classes(await accountIdOf(account), question),
      ),
    statement: operatorProcedure
      .input(z.extend(StatementQuery, ofAnyAccount))
      .query(async ({ input: { account, month } }) => {
        try {
          return await readStatement(statistics, await accountIdOf(account), month)
        } catch (error) {
          // Of an account that was deleted its counts are left.
          const left = isNotFound(error) ? await readStatement(statistics, account, month) : null
          if (left === null || left.calls === 0) throw error
          return left
        }
      }),
    /** Who used something in a month, and how much: some minutes behind. */
    statements: operatorProcedure
      .input(StatementsQuery)
      .query(({ input }): Promise<StatementSum[]> => readStatementSums(accountSums, input)),
    upstreams: operatorProcedure
      .input(z.safeExtend(UpstreamStatisticsQuery, ofAnyAccount))
      .query(async ({ input: { account, ...question } }) =>
        statistics.upstreams(await accountIdOf(account), question),
      ),
  })
}

/** The console's usage procedures: each account sees its own keys. */
export function usageProcedures({ statistics }: Pick<Usage, 'statistics'>) {
  return router({
    keys: signedInProcedure
      .input(UsageQuestion)
      .query(({ ctx, input }) => statistics.keyTable(ctx.account.id, input)),
    methods: signedInProcedure
      .input(UsageQuestion)
      .query(({ ctx, input }) => statistics.methodTable(ctx.account.id, input)),
    series: signedInProcedure
      .input(UsageSeriesQuestion)
      .query(({ ctx, input }) => statistics.series(ctx.account.id, input)),
    /** Returns one page, so that an export can contain every row. */
    keyPage: signedInProcedure
      .input(StatisticsQuery)
      .query(({ ctx, input }) => statistics.keys(ctx.account.id, input)),
    methodPage: signedInProcedure
      .input(StatisticsQuery)
      .query(({ ctx, input }) => statistics.methods(ctx.account.id, input)),
    classes: signedInProcedure
      .input(ClassStatisticsQuery)
      .query(({ ctx, input }) => statistics.classes(ctx.account.id, input)),
    upstreams: signedInProcedure
      .input(UpstreamStatisticsQuery)
      .query(({ ctx, input }) => statistics.upstreams(ctx.account.id, input)),
    statement: signedInProcedure
      .input(StatementQuery)
      .query(({ ctx, input }) => readStatement(statistics, ctx.account.id, input.month)),
    traffic: signedInProcedure.query(({ ctx }) => statistics.traffic(ctx.account.id)),
    /** Returns the traffic of all accounts together. */
    installationTraffic: operatorProcedure.query(() => statistics.traffic(null)),
  })
}
