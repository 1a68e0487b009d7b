import { type AddressQuery, queryText } from '../../address-query.ts'

/** Which keys of all accounts are listed. It stands in the address. */
export interface AllKeysView {
  readonly kind: 'query' | 'api'
  /** The id of an account; blank: of all. */
  readonly account: string
  readonly search: string
}

export const allKeys: AllKeysView = { kind: 'query', account: '', search: '' }

export const allKeysViewOf = (query: AddressQuery): AllKeysView => ({
  kind: query['kind'] === 'api' ? 'api' : 'query',
  account: queryText(query, 'account').slice(0, 200),
  search: queryText(query, 'search').slice(0, 200),
})

/** Only what is not as usual. */
export const allKeysAddressOf = ({ kind, account, search }: AllKeysView): Record<string, string> => ({
  ...(kind === 'api' && { kind }),
  ...(account !== '' && { account }),
  ...(search !== '' && { search }),
})
