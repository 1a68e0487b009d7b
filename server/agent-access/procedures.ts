import * as z from 'zod/mini'

import { AgentById, AgentDecision, AgentQuestion } from '../../shared/agents.ts'
import { fault } from '../platform/fault.ts'
import { type AccountIdOf, ofAnyAccount } from '../trpc/any-account.ts'
import { authorOf, operatorProcedure, ownerOf, router, signedInProcedure } from '../trpc/init.ts'
import type { AccountNamesOf } from '../keys/all-keys.ts'
import type { AgentAccess } from './agent-access.ts'

/** What was ended has to be there; and whoever revokes is told whether all processes know. */
function ended({ count, propagated }: { count: number; propagated: boolean }) {
  if (count === 0) throw fault('not_found', 'There is no such agent, or it was revoked before')
  return { propagated }
}

/** The consent page, and the agents that an account has let in. */
export function agentProcedures(access: AgentAccess) {
  return router({
    /** Whether this installation has an address at which agents can be let in. */
    isOffered: signedInProcedure.query(() => access.isOffered()),
    /** A mutation although it changes nothing of the account: it may read a document of somebody else. */
    ask: signedInProcedure
      .input(AgentQuestion)
      .mutation(({ ctx, input }) => access.ask(ctx.account.id, input.query, ctx.caller.origin)),
    decide: signedInProcedure
      .input(AgentDecision)
      .mutation(({ ctx, input }) => access.decide(ownerOf(ctx), input, ctx.caller.origin)),
    list: signedInProcedure.query(({ ctx }) => access.list(ctx.account.id)),
    /** Agents that are out because a refresh token was used twice: perhaps it was stolen. */
    reused: signedInProcedure.query(({ ctx }) => access.reused(ctx.account.id)),
    revoke: signedInProcedure
      .input(AgentById)
      .mutation(async ({ ctx, input: { id } }) =>
        ended(await access.end({ accountId: ctx.account.id, id, why: 'owner' }, authorOf(ctx))),
      ),
    revokeAll: signedInProcedure.mutation(({ ctx }) =>
      access.end({ accountId: ctx.account.id, id: null, why: 'owner' }, authorOf(ctx)),
    ),
  })
}

const OfAccount = z.strictObject(ofAnyAccount)

/** The agents of every account, for operators. */
export function agentOperatorProcedures(
  access: AgentAccess,
  accountIdOf: AccountIdOf,
  namesOf: AccountNamesOf,
) {
  return router({
    list: operatorProcedure.query(async () => {
      const grants = await access.list(null)
      const names = await namesOf([...new Set(grants.map(({ accountId }) => accountId))])
      return grants.map((grant) => ({ ...grant, accountName: names.get(grant.accountId) ?? grant.accountId }))
    }),
    revoke: operatorProcedure
      .input(AgentById)
      .mutation(async ({ ctx, input: { id } }) =>
        ended(await access.end({ accountId: null, id, why: 'operator' }, authorOf(ctx))),
      ),
    revokeAll: operatorProcedure.input(OfAccount).mutation(async ({ ctx, input }) => {
      const accountId = await accountIdOf(input.account)
      return access.end({ accountId, id: null, why: 'operator' }, authorOf(ctx))
    }),
    clients: operatorProcedure.query(() => access.clients()),
  })
}
