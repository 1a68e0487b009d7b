import {
  AccountName,
  AccountPatch,
  AccountResource,
  AdminAccountsQuery,
} from '../../../shared/admin-resources.ts'
import { type AccountRow, NewAccount } from '../../../shared/accounts.ts'
import { fault } from '../../platform/fault.ts'
import type { Operator } from '../operator.ts'
import { resource } from '../resource.ts'

/** What can be changed of it; the rest changes by itself. */
const versionOf = ({ id, kind, role, state, createdAt, contact, identities, plan }: AccountRow) => ({
  id,
  kind,
  role,
  state,
  createdAt,
  contact,
  identities,
  plan,
})

const shown = ({ days: _days, ...account }: AccountRow): Omit<AccountRow, 'days'> => account

/** Approves an account that waits, and enables one that is disabled. */
async function letIn({ call }: Operator, { id: account, state }: AccountRow): Promise<unknown> {
  return state === 'pending' ? call.accounts.approve({ account }) : call.accounts.enable({ account })
}

/** A key must not lock out the account that it belongs to. */
function refuseForOwn({ accountId }: Operator, { id }: AccountRow, { state, role }: AccountPatch): void {
  if (id !== accountId || (state !== 'disabled' && role !== 'account')) return
  throw fault('conflict', 'This is the account of the API key itself: another operator can do that')
}

/** Who people are here, what they may do, and what they use. */
export const adminAccounts = resource({
  path: 'accounts',
  name: 'Account',
  one: 'an account',
  many: 'accounts',
  view: AccountResource,
  id: AccountName,
  query: AdminAccountsQuery,
  async list({ call }, query) {
    const page = await call.accounts.page(query)
    return { items: page.accounts.map(shown), nextCursor: page.nextCursor }
  },
  async find({ call }, account) {
    const found = await call.accounts.find({ account })
    return { id: found.id, item: shown(found), version: versionOf(found) }
  },
  creating: {
    body: NewAccount,
    example: { identity: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' },
    about:
      'For somebody who signs in later. Who waits for approval has an account already: change its `state`.',
    create: ({ call }, account) => call.accounts.create(account),
  },
  changing: {
    body: AccountPatch,
    example: { plan: 'free' },
    about: 'One field at a time.',
    async change(operator, account, change) {
      const { call } = operator
      const found = await call.accounts.find({ account })
      const { id } = found
      refuseForOwn(operator, found, change)
      if (change.state === 'active') return letIn(operator, found)
      if (change.state === 'disabled') return call.accounts.disable({ account: id })
      if (change.role !== undefined) return call.accounts.setRole({ account: id, role: change.role })
      return call.accounts.setPlan({ account: id, plan: change.plan ?? null })
    },
  },
  removing: {
    async remove(operator, account) {
      const found = await operator.call.accounts.find({ account })
      refuseForOwn(operator, found, { state: 'disabled' })
      await operator.call.accounts.delete({ account: found.id })
    },
  },
})
