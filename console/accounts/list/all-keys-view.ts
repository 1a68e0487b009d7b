import type { LocationQuery } from 'vue-router'

/** Which keys of all accounts are listed. It stands in the address. */
export interface AllKeysView {
  readonly kind: 'query' | 'api'
  /** The id of an account; blank: of all. */
  readonly account: string
  readonly search: string
}

export const allKeys: AllKeysView = { kind: 'query', account: '', search: '' }

const textIn = (value: LocationQuery[string] | undefined): string =>
  typeof value === 'string' ? value.slice(0, 200) : ''

export const allKeysViewOf = (query: LocationQuery): AllKeysView => ({
  kind: query['kind'] === 'api' ? 'api' : 'query',
  account: textIn(query['account']),
  search: textIn(query['search']),
})

/** Only what is not as usual. */
export const allKeysAddressOf = ({ kind, account, search }: AllKeysView): Record<string, string> => ({
  ...(kind === 'api' && { kind }),
  ...(account !== '' && { account }),
  ...(search !== '' && { search }),
})
