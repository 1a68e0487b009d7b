import * as z from 'zod/mini'

import { idText } from '../../shared/text.ts'
import {
  ToolPolicyBySubject,
  ToolPolicyForm,
  type ToolPolicySubject,
  ToolPolicyTest,
} from '../../shared/tool-policies.ts'
import { fault } from '../platform/fault.ts'
import type { AccountIdOf } from '../trpc/any-account.ts'
import { operatorProcedure, ownerOf, router, signedInProcedure } from '../trpc/init.ts'
import type { ToolPolicies } from './tool-policies.ts'

/** Whether a key, agent or saved connection belongs to an account. */
export type OwnsSubject = (
  accountId: string,
  subject: Exclude<ToolPolicySubject, { level: 'account' }>,
) => Promise<boolean>

const words = { key: 'API key or agent', connection: 'saved connection' } as const

/** An account's own policies of tool calls. */
export function toolPolicyProcedures(policies: ToolPolicies, owns: OwnsSubject) {
  async function requireOwn(accountId: string, subject: ToolPolicySubject): Promise<void> {
    if (subject.level === 'account' || (await owns(accountId, subject))) return
    throw fault('not_found', `There is no such ${words[subject.level]}`)
  }

  return router({
    list: signedInProcedure.query(({ ctx }) => policies.list(ctx.account.id)),
    /** The policy of the installation, which its file has, because it refuses calls too. */
    ofInstallation: signedInProcedure.query(() => policies.ofInstallation()),
    save: signedInProcedure.input(ToolPolicyForm).mutation(async ({ ctx, input }) => {
      await requireOwn(ctx.account.id, input.subject)
      return policies.save(ownerOf(ctx), input.subject, input.policy)
    }),
    remove: signedInProcedure
      .input(ToolPolicyBySubject)
      .mutation(({ ctx, input }) => policies.remove(ownerOf(ctx), input.subject)),
    /**
     * Says what would become of a call; sends and counts nothing. A mutation all the same, because arguments may be long
     * or secret, and do not belong in an address.
     */
    test: signedInProcedure
      .input(ToolPolicyTest)
      .mutation(({ ctx, input }) => policies.test(ctx.account.id, input)),
  })
}

const OfAnyAccount = z.strictObject({ account: z.optional(idText(200)) })

/** The policies of every account, for operators. */
export function toolPolicyOperatorProcedures(policies: ToolPolicies, accountIdOf: AccountIdOf) {
  return router({
    list: operatorProcedure.input(OfAnyAccount).query(async ({ input: { account } }) => ({
      installation: policies.ofInstallation(),
      policies: policies.list(account === undefined ? null : await accountIdOf(account)),
    })),
    test: operatorProcedure
      .input(z.strictObject({ ...OfAnyAccount.shape, call: ToolPolicyTest }))
      .mutation(async ({ input: { account, call } }) =>
        policies.test(account === undefined ? null : await accountIdOf(account), call),
      ),
  })
}
