import * as z from 'zod/mini'

import { AllKeysQuery } from '../../shared/all-keys.ts'
import { type AccountNamesOf, readAllKeys } from '../keys/all-keys.ts'
import { ApiKeyById, ApiKeyInput, ApiKeyRotation, ApiKeyUpdate } from '../../shared/api-keys.ts'
import { type AccountIdOf, ofAnyAccount } from '../trpc/any-account.ts'
import {
  onBehalfOf,
  ownerOf,
  freshProcedure,
  operatorProcedure,
  router,
  signedInProcedure,
} from '../trpc/init.ts'
import type { ApiKeys } from './api-keys.ts'

const Toggle = z.extend(ApiKeyById, { isEnabled: z.boolean() })

/** API keys as their owners see them, in the console. */
export function apiKeyProcedures(apiKeys: ApiKeys) {
  return router({
    list: signedInProcedure.query(({ ctx }) => apiKeys.list(ctx.account.id)),
    create: signedInProcedure
      .input(ApiKeyInput)
      .mutation(({ ctx, input }) => apiKeys.create(ownerOf(ctx), input)),
    update: signedInProcedure
      .input(ApiKeyUpdate)
      .mutation(({ ctx, input: { id, ...input } }) => apiKeys.update(ownerOf(ctx), id, input)),
    setEnabled: signedInProcedure
      .input(Toggle)
      .mutation(({ ctx, input }) => apiKeys.setEnabled(ownerOf(ctx), input.id, input.isEnabled)),
    delete: signedInProcedure
      .input(ApiKeyById)
      .mutation(({ ctx, input }) => apiKeys.delete(ownerOf(ctx), input.id)),
    rotate: signedInProcedure
      .input(ApiKeyRotation)
      .mutation(({ ctx, input }) => apiKeys.rotate(ownerOf(ctx), input.id, input.overlapMs)),
    /** A mutation although it changes nothing: a POST is neither cached nor sent by a link. */
    reveal: freshProcedure.input(ApiKeyById).mutation(async ({ ctx, input }) => ({
      value: await apiKeys.reveal(ownerOf(ctx), input.id),
    })),
  })
}

/** The keys of any account, for operators: the command line has no account of its own. They never see values again. */
export function apiKeyOperatorProcedures(
  apiKeys: ApiKeys,
  accountIdOf: AccountIdOf,
  namesOf: AccountNamesOf,
) {
  return router({
    page: operatorProcedure.input(AllKeysQuery).query(({ input }) => readAllKeys(apiKeys, namesOf, input)),
    list: operatorProcedure
      .input(z.strictObject(ofAnyAccount))
      .query(async ({ input }) => apiKeys.list(await accountIdOf(input.account))),
    create: operatorProcedure
      .input(z.extend(ApiKeyInput, ofAnyAccount))
      .mutation(async ({ ctx, input: { account, ...input } }) =>
        apiKeys.create(onBehalfOf(await accountIdOf(account), ctx), input),
      ),
    setEnabled: operatorProcedure
      .input(z.extend(Toggle, ofAnyAccount))
      .mutation(async ({ ctx, input }) =>
        apiKeys.setEnabled(onBehalfOf(await accountIdOf(input.account), ctx), input.id, input.isEnabled),
      ),
    delete: operatorProcedure
      .input(z.extend(ApiKeyById, ofAnyAccount))
      .mutation(async ({ ctx, input }) =>
        apiKeys.delete(onBehalfOf(await accountIdOf(input.account), ctx), input.id),
      ),
  })
}
