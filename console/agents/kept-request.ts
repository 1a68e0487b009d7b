const name = 'gatehouse.agent-request'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The request that a client sent somebody here with, as a query. It is too long for a path to come back to after signing
 * in, so this tab keeps it; one in the address replaces it.
 */
export function takeRequest(storage: Storage, search: string): string | null {
  if (search === '') return storage.getItem(name)
  const query = search.replace(/^\?/, '')
  storage.setItem(name, query)
  return query
}

/** It was answered. */
export const forgetRequest = (storage: Storage): void => storage.removeItem(name)
