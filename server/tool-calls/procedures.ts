import {
  type ShownToolCall,
  ToolCallById,
  type ToolCallEntry,
  type ToolCallPage,
  ToolCallQuery,
} from '../../shared/tool-calls.ts'
import { ToolUsageQuestion } from '../../shared/tool-statistics.ts'
import { fault } from '../platform/fault.ts'
import { type AccountIdOf, type AskedScope, askedAccount } from '../trpc/any-account.ts'
import { type CallContext, memberProcedure, router } from '../trpc/init.ts'
import type { ToolCalls } from './tool-calls.ts'

/** The record of tool calls: everybody sees the calls of their own keys and agents, operators those of all accounts. */
export function toolCallProcedures(toolCalls: ToolCalls, accountIdOf: AccountIdOf) {
  const scopeOf = (ctx: CallContext, asked: AskedScope) => askedAccount(ctx, asked, 'calls', accountIdOf)

  return router({
    list: memberProcedure.input(ToolCallQuery).query(async ({ ctx, input }): Promise<ToolCallPage> => {
      const { account, all, ...query } = input
      const { calls, nextCursor } = await toolCalls.list(await scopeOf(ctx, { account, all }), query)
      return { calls: await shown(calls, toolCalls), nextCursor }
    }),
    /** Returns what is kept of the arguments and the result of a call. */
    content: memberProcedure
      .input(ToolCallById)
      .query(async ({ ctx, input: { id, at, ...asked } }) =>
        toolCalls.content(await scopeOf(ctx, asked), { id, at }),
      ),
    statistics: memberProcedure.input(ToolUsageQuestion).query(async ({ ctx, input }) => {
      const scope = await scopeOf(ctx, input)
      if (input.by === 'account' && scope !== null)
        throw fault('invalid_request', 'by: expected all accounts with "account"')
      return toolCalls.statistics.table(scope, input)
    }),
    outcomes: memberProcedure
      .input(ToolUsageQuestion)
      .query(async ({ ctx, input }) => toolCalls.statistics.outcomeTable(await scopeOf(ctx, input), input)),
  })
}

/** Adds the names of keys and agents. */
async function shown(
  calls: readonly ToolCallEntry[],
  { namesOf }: Pick<ToolCalls, 'namesOf'>,
): Promise<ShownToolCall[]> {
  const names = new Map<string, ReadonlyMap<string, string>>()
  for (const accountId of new Set(calls.map((call) => call.accountId)))
    names.set(accountId, await namesOf(accountId))
  return calls.map((call) => ({ ...call, keyName: names.get(call.accountId)?.get(call.keyId) ?? null }))
}
