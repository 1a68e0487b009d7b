import type { Target } from '../../../shared/verifier-protocol.ts'
import { withoutCredentials } from '../../platform/address-credentials.ts'
import { ProbeFailure } from './probe.ts'

/** The address and headers with which a service is probed. Header names are lowercase. */
export interface Access {
  url: string
  headers: Record<string, string>
}

/**
 * Operators write Bitcoin endpoints as `http://user:password@host`; the guarded fetch refuses such addresses, so that
 * user and password move into an `Authorization` header. The target's own headers have the last word.
 * @throws ProbeFailure `BLOCKED_ADDRESS` for what is no address.
 */
export function accessOf(target: Pick<Target, 'endpoint' | 'headers'>): Access {
  if (!URL.canParse(target.endpoint)) throw new ProbeFailure('BLOCKED_ADDRESS')
  const { url, authorization } = withoutCredentials(target.endpoint)
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  for (const [name, value] of Object.entries(target.headers ?? {})) headers[name.toLowerCase()] = value
  return { url, headers }
}

/** Returns an address below the endpoint's own path. The query, where some providers put the key, stays. */
export function addressBelow(endpoint: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
