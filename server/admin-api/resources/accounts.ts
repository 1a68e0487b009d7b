import {
  AccountName,
  AccountPatch,
  AccountResource,
  AdminAccountsQuery,
} from '../../../shared/admin-resources.ts'
import { type ListedAccount, NewAccount } from '../../../shared/accounts.ts'
import { fault } from '../../platform/fault.ts'
import type { Operator } from '../operator.ts'
import { resource } from '../resource.ts'

/** Without its use, which statistics tell. */
const listed = ({
  id,
  kind,
  role,
  state,
  createdAt,
  contact,
  identities,
  plan,
  lastSeenAt,
}: ListedAccount) => ({
  id,
  kind,
  role,
  state,
  createdAt,
  contact,
  identities,
  plan,
  lastSeenAt,
})

/** Approves an account that waits, and enables one that is disabled. */
async function letIn({ call }: Operator, { id: account, state }: ListedAccount): Promise<unknown> {
  return state === 'pending' ? call.accounts.approve({ account }) : call.accounts.enable({ account })
}

/** A key must not lock out the account that it belongs to. */
function refuseForOwn({ accountId }: Operator, { id }: ListedAccount, { state, role }: AccountPatch): void {
  if (id !== accountId || (state !== 'disabled' && role !== 'account')) return
  throw fault('conflict', 'This is the account of the API key itself: another operator can do that')
}

/** Who people are here, and what they may do. */
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
    return { items: page.accounts.map(listed), nextCursor: page.nextCursor }
  },
  async find({ call }, account) {
    const { lastSeenAt: _, ...version } = listed(await call.accounts.find({ account }))
    return { item: { ...version, lastSeenAt: _ }, version }
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
