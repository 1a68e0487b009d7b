import * as z from 'zod/mini'

import { ApiKeyById, ApiKeyRotation } from '../../shared/api-keys.ts'
import { cliActor } from '../../shared/audit.ts'
import { QueryKeyEdit, QueryKeyForm, maxKeyUses } from '../../shared/query-keys.ts'
import type { Author } from '../platform/keys/changes.ts'
import {
  type CallContext,
  freshProcedure,
  operatorProcedure,
  router,
  signedInProcedure,
} from '../trpc/init.ts'
import type { QueryKeys } from './query-keys.ts'

const Toggle = z.extend(ApiKeyById, { isEnabled: z.boolean() })
const SomeKeys = z.strictObject({ ids: z.array(z.string()).check(z.maxLength(maxKeyUses)) })
const Update = z.safeExtend(QueryKeyEdit, ApiKeyById.shape)

interface SignedIn extends CallContext {
  readonly account: NonNullable<CallContext['account']>
}

/** Everybody acts on their own keys only. */
const owner = ({ account, caller, requestId }: SignedIn): Author => ({
  accountId: account.id,
  actor: { id: account.id, label: account.label },
  ip: caller.address,
  requestId,
})

/** Query keys as their owners see them, in the console. What a new one can be for is told by the endpoints. */
export function queryKeyProcedures(queryKeys: QueryKeys) {
  return router({
    list: signedInProcedure.query(({ ctx }) => queryKeys.list(ctx.account.id)),
    /** Live use of the limits of some keys. */
    uses: signedInProcedure
      .input(SomeKeys)
      .query(({ ctx, input }) => queryKeys.uses(ctx.account.id, input.ids)),
    create: signedInProcedure
      .input(QueryKeyForm)
      .mutation(({ ctx, input }) => queryKeys.create(owner(ctx), input)),
    update: signedInProcedure
      .input(Update)
      .mutation(({ ctx, input: { id, ...edit } }) => queryKeys.update(owner(ctx), id, edit)),
    setEnabled: signedInProcedure
      .input(Toggle)
      .mutation(({ ctx, input }) => queryKeys.setEnabled(owner(ctx), input.id, input.isEnabled)),
    delete: signedInProcedure
      .input(ApiKeyById)
      .mutation(({ ctx, input }) => queryKeys.delete(owner(ctx), input.id)),
    rotate: signedInProcedure
      .input(ApiKeyRotation)
      .mutation(({ ctx, input }) => queryKeys.rotate(owner(ctx), input.id, input.overlapMs)),
    /** A mutation although it changes nothing: a POST is neither cached nor sent by a link. */
    reveal: freshProcedure
      .input(ApiKeyById)
      .mutation(({ ctx, input }) => queryKeys.reveal(owner(ctx), input.id)),
  })
}

/** The id of an account that is named by its id or by a wallet's address. Fault: `not_found`. */
type FindAccount = (idOrAddress: string) => Promise<string>

const Account = z.string().check(z.minLength(1), z.maxLength(200))
const ofAccount = { account: Account } as const

/** The keys of any account, for operators: the command line has no account of its own. */
export function queryKeyOperatorProcedures(queryKeys: QueryKeys, findAccount: FindAccount) {
  const onBehalfOf = async (account: string, ctx: CallContext): Promise<Author> => ({
    accountId: await findAccount(account),
    actor: ctx.account === null ? cliActor : { id: ctx.account.id, label: ctx.account.label },
    ip: ctx.caller.address,
    requestId: ctx.requestId,
  })

  return router({
    list: operatorProcedure
      .input(z.strictObject(ofAccount))
      .query(async ({ input }) => queryKeys.list(await findAccount(input.account))),
    create: operatorProcedure
      .input(z.safeExtend(QueryKeyForm, ofAccount))
      .mutation(async ({ ctx, input: { account, ...form } }) =>
        queryKeys.create(await onBehalfOf(account, ctx), form),
      ),
    setEnabled: operatorProcedure
      .input(z.extend(Toggle, ofAccount))
      .mutation(async ({ ctx, input }) =>
        queryKeys.setEnabled(await onBehalfOf(input.account, ctx), input.id, input.isEnabled),
      ),
    delete: operatorProcedure
      .input(z.extend(ApiKeyById, ofAccount))
      .mutation(async ({ ctx, input }) => queryKeys.delete(await onBehalfOf(input.account, ctx), input.id)),
    rotate: operatorProcedure
      .input(z.extend(ApiKeyRotation, ofAccount))
      .mutation(async ({ ctx, input }) =>
        queryKeys.rotate(await onBehalfOf(input.account, ctx), input.id, input.overlapMs),
      ),
  })
}
