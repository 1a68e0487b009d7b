import { type AddressQuery, queryText, withoutBlanks } from '../../address-query.ts'
import { searchedText } from '../../frame/found-things.ts'

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

/** Only what is not as usual, and of a key that was pasted no more than is asked for. */
export const allKeysAddressOf = ({ kind, account, search }: AllKeysView): Record<string, string> =>
  withoutBlanks({ kind: kind === 'api' ? kind : '', account, search: searchedText(search) })
