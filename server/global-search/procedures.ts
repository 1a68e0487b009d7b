import { GlobalSearchInput } from '../../shared/global-search.ts'
import { memberProcedure, router } from '../trpc/init.ts'
import type { GlobalSearch } from './global-search.ts'

/** The search of the palette. */
export function globalSearchProcedures({ search }: GlobalSearch) {
  return router({
    find: memberProcedure
      .input(GlobalSearchInput)
      .query(({ input, ctx }) =>
        search(input.text, { accountId: ctx.account?.id ?? null, isOperator: ctx.isOperator }),
      ),
  })
}
