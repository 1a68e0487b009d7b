import * as z from 'zod/mini'

import {
  AccountPlanChange,
  AccountRoleChange,
  type AccountRow,
  AccountsQuery,
  ContactDetails,
  NamedAccount,
  NewAccount,
} from '../../shared/accounts.ts'
import { NewInvitation } from '../../shared/invitations.ts'
import type { AccountWithTeams } from '../../shared/teams.ts'
import { idText } from '../../shared/text.ts'
import {
  type CallContext,
  type CallingAccount,
  type CallingSession,
  authorOf,
  freshPersonProcedure,
  operatorProcedure,
  personProcedure,
  publicProcedure,
  router,
} from '../trpc/init.ts'
import type { AccountExport } from '../../shared/account-export.ts'
import { fault } from '../platform/fault.ts'
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

/** Gathers everything that is stored of an account, which many domains do. */
export type ExportAccount = (accountId: string) => Promise<AccountExport>

/** One's own account, for the console; the list of all for operators. What sets cookies is in `routes.ts`. */
export function accountProcedures(accounts: Accounts, exportAccount: ExportAccount) {
  const { own, teams } = accounts

  async function viewOf({ account, session }: SignedIn): Promise<AccountWithTeams> {
    const [view, ofPerson] = await Promise.all([own.view(account.id), teams.listOf(account.id)])
    return {
      ...view,
      teams: ofPerson,
      role: account.role,
      state: account.isApproved ? 'active' : 'pending',
      freshUntil: session.freshUntil,
    }
  }

  return router({
    /** How one can sign in here. */
    signInOptions: publicProcedure.query(() => accounts.options()),
    /** Null: nobody is signed in. */
    me: publicProcedure.query(async ({ ctx: { account, session } }): Promise<AccountWithTeams | null> =>
      account === null || session === null ? null : viewOf({ account, session }),
    ),
    sessions: personProcedure.query(({ ctx }) => own.sessions(ownerOf(ctx))),
    endSession: personProcedure
      .input(ById)
      .mutation(({ ctx, input }) => own.endSession(ownerOf(ctx), input.id, traceOf(ctx))),
    endOtherSessions: personProcedure.mutation(async ({ ctx }) => ({
      ended: await own.endOtherSessions(ownerOf(ctx), traceOf(ctx)),
    })),
    removeIdentity: freshPersonProcedure
      .input(ById)
      .mutation(({ ctx, input }) => own.removeIdentity(ownerOf(ctx), input.id, traceOf(ctx))),
    shareContact: personProcedure
      .input(ContactDetails)
      .mutation(({ ctx, input }) => own.setContact(ownerOf(ctx), input, traceOf(ctx))),
    withdrawContact: personProcedure.mutation(({ ctx }) => own.setContact(ownerOf(ctx), null, traceOf(ctx))),
    exportOwn: personProcedure.query(({ ctx }) => exportAccount(ctx.account.id)),
    /** The id says that it is this account which is meant, and not another one that the browser was signed in with before. */
    deleteOwn: freshPersonProcedure.input(ById).mutation(({ ctx, input }) => {
      if (input.id !== ctx.account.id) throw fault('conflict', 'id: expected that of your own account')
      return accounts.delete(authorOf(ctx), ctx.account.id)
    }),
    ...operatorProcedures(accounts, exportAccount),
  })
}

/** Every account, for operators. */
const operatorProcedures = (accounts: Accounts, exportAccount: ExportAccount) => ({
  list: operatorProcedure.query(() => accounts.list()),
  page: operatorProcedure.input(AccountsQuery).query(({ input }) => accounts.page(input)),
  find: operatorProcedure.input(NamedAccount).query(async ({ input }): Promise<AccountRow> => {
    const [row] = await accounts.rowsOf([await accounts.idOf(input.account)])
    if (row === undefined) throw fault('not_found', 'There is no account of this id')
    return row
  }),
  sessionsOf: operatorProcedure.input(NamedAccount).query(({ input }) => accounts.sessionsOf(input.account)),
  create: operatorProcedure
    .input(NewAccount)
    .mutation(({ ctx, input }) => accounts.create(authorOf(ctx), input.identity)),
  disable: operatorProcedure
    .input(NamedAccount)
    .mutation(async ({ ctx, input }) => accounts.disable(authorOf(ctx), await accounts.idOf(input.account))),
  enable: operatorProcedure
    .input(NamedAccount)
    .mutation(async ({ ctx, input }) => accounts.enable(authorOf(ctx), await accounts.idOf(input.account))),
  export: operatorProcedure
    .input(NamedAccount)
    .query(async ({ input }) => exportAccount(await accounts.idOf(input.account))),
  delete: operatorProcedure
    .input(NamedAccount)
    .mutation(async ({ ctx, input }) => accounts.delete(authorOf(ctx), await accounts.idOf(input.account))),
  setRole: operatorProcedure
    .input(AccountRoleChange)
    .mutation(async ({ ctx, input }) =>
      accounts.setRole(authorOf(ctx), await accounts.idOf(input.account), input.role),
    ),
  setPlan: operatorProcedure
    .input(AccountPlanChange)
    .mutation(async ({ ctx, input }) =>
      accounts.setPlan(authorOf(ctx), await accounts.idOf(input.account), input.plan),
    ),
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
