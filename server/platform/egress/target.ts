import { isAddress } from './address-policy.ts'
import { EgressError } from './failure.ts'

export type Scheme = 'http' | 'https'

export interface TargetRules {
  schemes: readonly Scheme[]
  /** Ports that may be asked; undefined: any. */
  ports: readonly number[] | undefined
}

/** A URL taken apart, so that it can be sent to an address that was checked. */
export interface EgressTarget {
  scheme: Scheme
  /** Lower-case name without a trailing dot, or an address without brackets. */
  host: string
  hostIsAddress: boolean
  port: number
  /** The value of the `Host` header. */
  hostHeader: string
  /** The path with its query. */
  path: string
}

/** @throws EgressError `URL`, `SCHEME`, `USERINFO` or `PORT` */
export function parseTarget(text: string, rules: TargetRules): EgressTarget {
  const url = URL.parse(text)
  if (url === null) throw new EgressError('URL')
  const scheme = rules.schemes.find((allowed) => url.protocol === `${allowed}:`)
  if (scheme === undefined) throw new EgressError('SCHEME')
  if (url.username !== '' || url.password !== '') throw new EgressError('USERINFO')
  if (rules.ports !== undefined && !rules.ports.includes(portOf(url, scheme))) throw new EgressError('PORT')

  const hostname = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (host === '') throw new EgressError('URL')
  return {
    scheme,
    host,
    hostIsAddress: isAddress(host),
    port: portOf(url, scheme),
    hostHeader: url.port === '' ? hostname : `${hostname}:${url.port}`,
    path: url.pathname + url.search,
  }
}

function portOf(url: URL, scheme: Scheme): number {
  if (url.port !== '') return Number(url.port)
  return scheme === 'https' ? 443 : 80
}
