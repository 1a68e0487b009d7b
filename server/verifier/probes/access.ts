import type { Target } from '../../../shared/verifier-protocol.ts'
import { ProbeFailure } from './probe.ts'

/** Where and with which headers a service is asked. Header names are lowercase. */
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
  const url = new URL(target.endpoint)
  const headers: Record<string, string> = {}
  if (url.username !== '' || url.password !== '') {
    headers.authorization = basicCredentials(url.username, url.password)
    url.username = ''
    url.password = ''
  }
  for (const [name, value] of Object.entries(target.headers ?? {})) headers[name.toLowerCase()] = value
  return { url: url.href, headers }
}

/** RFC 7617, with the charset that it names. */
function basicCredentials(username: string, password: string): string {
  const text = `${decoded(username)}:${decoded(password)}`
  return `Basic ${new TextEncoder().encode(text).toBase64()}`
}

/** A stray `%` in a password is that character, not an error. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address below the endpoint's own path; its query (where some providers put the key) stays. */
export function addressBelow(endpoint: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
