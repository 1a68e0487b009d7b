import { accountOrders, accountStates } from '../../../shared/accounts.ts'
import { type AddressQuery, queryText } from '../../address-query.ts'
import type { RouterAnswers } from '../../trpc.ts'
import { type PageSize, pageSizes } from '../../ui/page-sizes.ts'

/** An account in the list. */
export type ListedRow = RouterAnswers['accounts']['page']['accounts'][number]

/** What is looked for, and which account is open. It stands in the address. */
export interface AccountsView {
  readonly search: string
  readonly state: (typeof accountStates)[number] | ''
  readonly order: (typeof accountOrders)[number]
  readonly size: PageSize
  /** The id of the account beside the list; blank: none. */
  readonly open: string
}

export const wholeList: AccountsView = { search: '', state: '', order: 'calls', size: 25, open: '' }

const oneOf = <Value>(known: readonly Value[], value: unknown, usual: Value): Value =>
  known.find((one) => one === value) ?? usual

export function accountsViewOf(query: AddressQuery): AccountsView {
  return {
    search: queryText(query, 'search').slice(0, 200),
    state: oneOf<AccountsView['state']>(accountStates, query['state'], ''),
    order: oneOf(accountOrders, query['order'], wholeList.order),
    size: oneOf(pageSizes, Number(query['size']), wholeList.size),
    open: queryText(query, 'open'),
  }
}

/** Only what is not as usual. */
export const accountsAddressOf = (view: AccountsView): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...view, search: view.search.trim() })
      .filter(([name, value]) => value !== wholeList[name as keyof AccountsView])
      .map(([name, value]) => [name, String(value)]),
  )

export const isAccountsViewFiltered = ({ search, state }: AccountsView): boolean =>
  search !== '' || state !== ''

export const accountStateWords = { active: 'Active', pending: 'Waiting', disabled: 'Disabled' } as const
export const orderWords = {
  calls: 'Most calls, 7 days',
  credits: 'Most credits, 7 days',
  seen: 'Last seen',
  created: 'Newest',
} as const
