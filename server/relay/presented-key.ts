import { basicCredentials } from '../platform/http/basic-credentials.ts'
import { bearerToken } from '../platform/http/bearer-token.ts'
import { isQueryKey } from '../platform/token-prefixes.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import type { RelayKeys } from './ports.ts'

/** The parts of a relay address. */
export interface RelayAddress {
  readonly endpoint: string
  /** Null when the key comes in a header. */
  readonly key: string | null
  /** What follows the key, with its slash, as it was sent and without the query; null when nothing does. */
  readonly path: string | null
}

/**
 * Returns the key that a request presents in its headers. Clients of the Bitcoin family know of no other place than the
 * password; the user name may be any. A key is not looked for in it, because proxies write user names into their logs.
 */
export function keyInHeaders(headers: Headers): string | null {
  const authorization = headers.get('authorization')
  return bearerToken(authorization) ?? basicCredentials(authorization)?.password ?? headers.get('x-api-key')
}

/**
 * Returns the address as it is meant where the key comes in a header: behind the endpoint stands a path of its nodes
 * then, `/rpc/{endpoint}/{path}`.
 */
export function addressWithHeaders(address: RelayAddress, headers: Headers): RelayAddress {
  const { endpoint, key, path } = address
  if (key === null || !isQueryKey(keyInHeaders(headers))) return address
  return { endpoint, key: null, path: `/${key}${path ?? ''}` }
}

/**
 * Returns the address that a request to `/` stands for: that of the key's endpoint, or of the one that the user name says
 * if the key lists it, or is not known. Null without Basic authentication.
 */
export async function rootAddress(
  headers: Headers,
  keys: Pick<RelayKeys, 'findByValue'>,
  facts: Pick<RequestFacts, 'caller'>,
): Promise<RelayAddress | null> {
  const credentials = basicCredentials(headers.get('authorization'))
  if (credentials === null) return null
  const { user, password } = credentials
  const found = await keys.findByValue(password, facts.caller())
  const endpoint = found === null || found.moreEndpoints.includes(user) ? user : found.endpoint
  return { endpoint, key: password, path: null }
}
