/** One server of an address. */
export interface StoreServer {
  readonly host: string
  readonly port: number
}

/**
 * Where the shared store is, taken apart: one server; sentinels, which know the primary; or some nodes of a cluster, of
 * which one knows all.
 */
export interface StoreAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster'
  readonly servers: readonly [StoreServer, ...StoreServer[]]
  /** Path of the UNIX socket at which the one server is; null for one of the network. */
  readonly socketPath: string | null
  readonly user: string | undefined
  readonly password: string | undefined
  /** The number of the database; 0 in a cluster. */
  readonly database: number
  readonly isTls: boolean
  /** File with the certificates of the authorities that may sign the server's; null for those of the system. */
  readonly authorities: string | null
  /** What the sentinels know; null for other addresses. */
  readonly sentinel: { readonly primary: string; readonly user?: string; readonly password?: string } | null
}

/** The address cannot be used. The message completes "expected …", without any part that may be secret. */
export class StoreAddressProblem extends Error {
  override readonly name = 'StoreAddressProblem'
}

/** `redis[s][+sentinel|+cluster]://user:password@host:port,host:port/database?parameters`; a password may hold an `@`. */
const form =
  /^redis(?<tls>s)?(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<userInfo>[^/?]*)@)?(?<hosts>[^/?@]+)(?:\/(?<database>\d{0,3}))?(?:\?(?<query>.*))?$/s

const socketScheme = 'unix://'
const defaultPorts = { single: 6_379, sentinel: 26_379, cluster: 6_379 } as const
const knownParameters = new Set(['ca', 'primary', 'sentinelUser', 'sentinelPassword'])

/** Throws `StoreAddressProblem`. */
export function parseStoreAddress(url: string): StoreAddress {
  if (url.startsWith(socketScheme)) return socketAddress(url.slice(socketScheme.length))
  const found = form.exec(url)?.groups
  if (found === undefined) {
    throw new StoreAddressProblem(
      'an address such as redis://host:6379, rediss://host, redis+sentinel://one,two/0?primary=name or redis+cluster://one,two',
    )
  }
  const kind = (found['kind'] ?? 'single') as StoreAddress['kind']
  const query = new URLSearchParams(found['query'])
  for (const name of query.keys()) {
    if (!knownParameters.has(name))
      throw new StoreAddressProblem(`an address whose parameters are of ${[...knownParameters].join(', ')}`)
  }
  const isTls = found['tls'] !== undefined
  const authorities = query.get('ca')
  if (authorities !== null && !isTls) throw new StoreAddressProblem('rediss where authorities (ca) are named')
  const database = Number(found['database'] ?? 0)
  if (kind === 'cluster' && database !== 0) throw new StoreAddressProblem('database 0 in a cluster')
  const [user, password] = credentialsIn(found['userInfo'])
  return {
    kind,
    servers: serversIn(found['hosts'] ?? '', kind),
    socketPath: null,
    user,
    password,
    database,
    isTls,
    authorities,
    sentinel: sentinelIn(kind, query),
  }
}

/** A server of this machine that asks for no password: who may open its socket is told by the folder. */
function socketAddress(path: string): StoreAddress {
  if (!path.startsWith('/'))
    throw new StoreAddressProblem('the whole path of a socket, such as unix:///run/valkey/valkey.sock')
  return {
    kind: 'single',
    servers: [{ host: 'localhost', port: defaultPorts.single }],
    socketPath: path,
    user: undefined,
    password: undefined,
    database: 0,
    isTls: false,
    authorities: null,
    sentinel: null,
  }
}

function serversIn(hosts: string, kind: StoreAddress['kind']): StoreAddress['servers'] {
  const [first, ...others] = hosts.split(',').map((text) => serverIn(text, defaultPorts[kind]))
  if (first === undefined) throw new StoreAddressProblem('an address with a host')
  if (others.length > 0 && kind === 'single')
    throw new StoreAddressProblem('one host, or redis+sentinel or redis+cluster before several')
  return [first, ...others]
}

function serverIn(text: string, defaultPort: number): StoreServer {
  const parts = /^(?<host>\[[^\]]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups
  const port = Number(parts?.['port'] ?? defaultPort)
  if (parts?.['host'] === undefined || port < 1 || port > 65_535)
    throw new StoreAddressProblem('hosts with ports, such as one:6379')
  return { host: parts['host'].replace(/^\[(.*)\]$/, '$1'), port }
}

function sentinelIn(kind: StoreAddress['kind'], query: URLSearchParams): StoreAddress['sentinel'] {
  const primary = query.get('primary')
  const [user, password] = [query.get('sentinelUser'), query.get('sentinelPassword')]
  if (kind !== 'sentinel') {
    if (primary !== null || user !== null || password !== null)
      throw new StoreAddressProblem('redis+sentinel where a primary is named')
    return null
  }
  if (!primary) throw new StoreAddressProblem('the name of the primary, as sentinels know it: ?primary=name')
  return { primary, ...(user !== null && { user }), ...(password !== null && { password }) }
}

/** A user without a password is one: `redis://:password@` has a password alone. */
function credentialsIn(userInfo: string | undefined): [string | undefined, string | undefined] {
  if (userInfo === undefined) return [undefined, undefined]
  const [user = '', ...password] = userInfo.split(':')
  return [decoded(user), decoded(password.join(':'))]
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a lone percent sign, which people do not know to encode
  }
}
