import * as z from 'zod/mini'

import { AllKeysQuery } from '../../shared/all-keys.ts'
import { type AccountNamesOf, readAllKeys } from '../keys/all-keys.ts'
import { ApiKeyById, ApiKeyRotation } from '../../shared/api-keys.ts'
import { QueryKeyEdit, QueryKeyForm, maxKeyUses } from '../../shared/query-keys.ts'
import { idText } from '../../shared/text.ts'
import { type AccountIdOf, ofAnyAccount } from '../trpc/any-account.ts'
import {
  onBehalfOf,
  ownerOf,
  freshProcedure,
  operatorProcedure,
  router,
  signedInProcedure,
} from '../trpc/init.ts'
import type { QueryKeys } from './query-keys.ts'

const Toggle = z.extend(ApiKeyById, { isEnabled: z.boolean() })
const DebugSwitch = z.extend(ApiKeyById, { isOn: z.boolean() })
const SomeKeys = z.strictObject({ ids: z.array(idText(64)).check(z.maxLength(maxKeyUses)) })
const Update = z.safeExtend(QueryKeyEdit, ApiKeyById.shape)

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
      .mutation(({ ctx, input }) => queryKeys.create(ownerOf(ctx), input)),
    update: signedInProcedure
      .input(Update)
      .mutation(({ ctx, input: { id, ...edit } }) => queryKeys.update(ownerOf(ctx), id, edit)),
    setEnabled: signedInProcedure
      .input(Toggle)
      .mutation(({ ctx, input }) => queryKeys.setEnabled(ownerOf(ctx), input.id, input.isEnabled)),
    /** Parameters may be private, so that it is the owner's alone to turn this on. */
    setDebug: signedInProcedure
      .input(DebugSwitch)
      .mutation(({ ctx, input }) => queryKeys.change(ownerOf(ctx), input.id, { debug: input.isOn })),
    delete: signedInProcedure
      .input(ApiKeyById)
      .mutation(({ ctx, input }) => queryKeys.delete(ownerOf(ctx), input.id)),
    rotate: signedInProcedure
      .input(ApiKeyRotation)
      .mutation(({ ctx, input }) => queryKeys.rotate(ownerOf(ctx), input.id, input.overlapMs)),
    /** A mutation although it changes nothing: a POST is neither cached nor sent by a link. */
    reveal: freshProcedure
      .input(ApiKeyById)
      .mutation(({ ctx, input }) => queryKeys.reveal(ownerOf(ctx), input.id)),
  })
}

/** The keys of any account, for operators: the command line has no account of its own. */
export function queryKeyOperatorProcedures(
  queryKeys: QueryKeys,
  accountIdOf: AccountIdOf,
  namesOf: AccountNamesOf,
) {
  return router({
    page: operatorProcedure.input(AllKeysQuery).query(({ input }) => readAllKeys(queryKeys, namesOf, input)),
    list: operatorProcedure
      .input(z.strictObject(ofAnyAccount))
      .query(async ({ input }) => queryKeys.list(await accountIdOf(input.account))),
    create: operatorProcedure
      .input(z.safeExtend(QueryKeyForm, ofAnyAccount))
      .mutation(async ({ ctx, input: { account, ...form } }) =>
        queryKeys.create(onBehalfOf(await accountIdOf(account), ctx), form),
      ),
    setEnabled: operatorProcedure
      .input(z.extend(Toggle, ofAnyAccount))
      .mutation(async ({ ctx, input }) =>
        queryKeys.setEnabled(onBehalfOf(await accountIdOf(input.account), ctx), input.id, input.isEnabled),
      ),
    delete: operatorProcedure
      .input(z.extend(ApiKeyById, ofAnyAccount))
      .mutation(async ({ ctx, input }) =>
        queryKeys.delete(onBehalfOf(await accountIdOf(input.account), ctx), input.id),
      ),
    rotate: operatorProcedure
      .input(z.extend(ApiKeyRotation, ofAnyAccount))
      .mutation(async ({ ctx, input }) =>
        queryKeys.rotate(onBehalfOf(await accountIdOf(input.account), ctx), input.id, input.overlapMs),
      ),
  })
}
