import { trpc } from '../trpc.ts'

/** Accounts that wait for approval, for operators only. */
export const pendingAccountsQuery = {
  key: ['pending-accounts'],
  query: () => trpc.accounts.pending.query(),
} as const
