import * as z from 'zod/mini'

import { type AccountView, ContactDetails, NamedAccount } from '../../shared/accounts.ts'
import { NewInvitation } from '../../shared/invitations.ts'
import { idText } from '../../shared/text.ts'
import {
  type CallContext,
  type CallingAccount,
  type CallingSession,
  authorOf,
  freshProcedure,
  operatorProcedure,
  publicProcedure,
  router,
  signedInProcedure,
} from '../trpc/init.ts'
import type { Accounts } from './accounts.ts'

const ById = z.strictObject({ id: idText(64) })

interface SignedIn {
  readonly account: CallingAccount
  readonly session: CallingSession
}

const ownerOf = ({ account, session }: SignedIn) => ({
  id: session.id,
  accountId: account.id,
  accountLabel: account.label,
})

const traceOf = ({ caller, requestId }: Pick<CallContext, 'caller' | 'requestId'>) => ({
  ip: caller.address,
  requestId,
})

/** One's own account, for the console; the list of all for operators. What sets cookies is in `routes.ts`. */
export function accountProcedures(accounts: Accounts) {
  const { own } = accounts

  async function viewOf({ account, session }: SignedIn): Promise<AccountView> {
    const view = await own.view(account.id)
    return {
      ...view,
      role: account.role,
      state: account.isApproved ? 'active' : 'pending',
      freshUntil: session.freshUntil,
    }
  }

  return router({
    /** How one can sign in here. */
    signInOptions: publicProcedure.query(() => accounts.options()),
    /** Null: nobody is signed in. */
    me: publicProcedure.query(async ({ ctx: { account, session } }): Promise<AccountView | null> =>
      account === null || session === null ? null : viewOf({ account, session }),
    ),
    sessions: signedInProcedure.query(({ ctx }) => own.sessions(ownerOf(ctx))),
    endSession: signedInProcedure
      .input(ById)
      .mutation(({ ctx, input }) => own.endSession(ownerOf(ctx), input.id, traceOf(ctx))),
    endOtherSessions: signedInProcedure.mutation(async ({ ctx }) => ({
      ended: await own.endOtherSessions(ownerOf(ctx), traceOf(ctx)),
    })),
    removeIdentity: freshProcedure
      .input(ById)
      .mutation(({ ctx, input }) => own.removeIdentity(ownerOf(ctx), input.id, traceOf(ctx))),
    shareContact: signedInProcedure
      .input(ContactDetails)
      .mutation(({ ctx, input }) => own.setContact(ownerOf(ctx), input, traceOf(ctx))),
    withdrawContact: signedInProcedure.mutation(({ ctx }) =>
      own.setContact(ownerOf(ctx), null, traceOf(ctx)),
    ),
    list: operatorProcedure.query(() => accounts.list()),
    /** Accounts that wait for approval. */
    pending: operatorProcedure.query(() => accounts.pending()),
    approve: operatorProcedure
      .input(NamedAccount)
      .mutation(({ ctx, input }) => accounts.approve(authorOf(ctx), input.account)),
    /** The link is in the answer alone. */
    invite: operatorProcedure
      .input(NewInvitation)
      .mutation(({ ctx, input }) => accounts.invite(authorOf(ctx), input)),
    invitations: operatorProcedure.query(() => accounts.invitations()),
    cancelInvitation: operatorProcedure
      .input(ById)
      .mutation(({ ctx, input }) => accounts.cancelInvitation(authorOf(ctx), input.id)),
  })
}
