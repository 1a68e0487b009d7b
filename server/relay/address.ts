/** What stands in the address of a request. */
export interface RelayAddress {
  readonly endpoint: string
  /** Null: it must come in a header. */
  readonly key: string | null
}

export const relayPrefix = '/rpc/'

/** Reads `…/rpc/{endpoint}` and `…/rpc/{endpoint}/{key}` without taking the URL apart; null for anything else. */
export function readAddress(url: string): RelayAddress | null {
  const from = url.indexOf('/', 'https://'.length) + relayPrefix.length
  const query = url.indexOf('?', from)
  const to = query < 0 ? url.length : query
  const slash = url.indexOf('/', from)
  if (slash < 0 || slash >= to) return from === to ? null : { endpoint: url.slice(from, to), key: null }
  const key = url.slice(slash + 1, to)
  if (slash === from || key.includes('/')) return null
  return { endpoint: url.slice(from, slash), key: key === '' ? null : key }
}
