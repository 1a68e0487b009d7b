/** One server of an address. */
export interface ServerPlace {
  readonly host: string
  readonly port: number
  /** File name of the Unix socket, when there is one. */
  readonly path?: string
}

const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type TlsMode = (typeof tlsModes)[number]

/** A PostgreSQL URL, taken apart. Of several servers the one that can be written to is used. */
export interface DatabaseAddress {
  readonly servers: readonly [ServerPlace, ...ServerPlace[]]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly tls: TlsMode
  /** Path of the certificates of the authorities that may sign the server's, or `system`; null for those of the system. */
  readonly tlsAuthorities: string | null
  /** Whether a pooler stands before it that gives each transaction another connection; null when that is not said. */
  readonly isPooled: boolean | null
  /** Settings of the server for each connection. */
  readonly parameters: Readonly<Record<string, string>>
}

const defaultPort = 5432
/** What libpq knows, and means nothing here. */
const ignoredParameters = new Set([
  'connect_timeout',
  'gssencmode',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'load_balance_hosts',
])
/** `scheme://user:password@host:port,host:port/database?parameters`; a password may hold an `@`. */
const urlForm =
  /^postgres(?:ql)?:\/\/(?:(?<userInfo>[^/?]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/s

/** The address cannot be used. The message says why, without any part that may be secret. */
export class AddressProblem extends Error {
  override readonly name = 'AddressProblem'
}

/**
 * Reads a PostgreSQL URL (PostgreSQL manual, "Connection URIs"), with several servers, sockets and certificates, which
 * postgres.js does not read or reads otherwise. Throws `AddressProblem`.
 */
export function parseAddress(url: string): DatabaseAddress {
  const found = urlForm.exec(url)?.groups
  if (found === undefined) throw new AddressProblem('an address such as postgres://user@host/database')
  const query = new Map(new URLSearchParams(found['query']))
  const [user, ...password] = found['userInfo']?.split(':') ?? []
  const tls = tlsOf(query)
  refuseOtherSessions(query.get('target_session_attrs'))
  if (query.get('channel_binding') === 'require')
    throw new AddressProblem('an address without channel_binding=require, which is not supported')
  return {
    servers: serversOf(found['hosts'] ?? '', query),
    user: decoded(user) ?? query.get('user'),
    password: password.length === 0 ? query.get('password') : decoded(password.join(':')),
    database: decoded(found['database']) ?? query.get('dbname'),
    ...tls,
    isPooled: pooledOf(query.get('pooler') ?? query.get('pgbouncer')),
    parameters: parametersOf(query),
  }
}

/** Empty parts count as missing. */
function decoded(part: string | undefined): string | undefined {
  if (part === undefined || part === '') return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a lone percent sign, which people do not know to encode
  }
}

function serversOf(hosts: string, query: ReadonlyMap<string, string>): [ServerPlace, ...ServerPlace[]] {
  const named = hosts === '' ? (query.get('host') ?? '') : hosts
  const ports = (query.get('port') ?? '').split(',')
  const [first, ...others] = named
    .split(',')
    .map((host, index) => placeOf(host, ports[index] ?? ports.at(-1) ?? ''))
  if (first === undefined) throw new AddressProblem('an address with a host')
  return [first, ...others]
}

function placeOf(text: string, otherPort: string): ServerPlace {
  const parts = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d*))?$/.exec(text)?.groups
  if (parts === undefined) throw new AddressProblem('hosts with ports, such as one:5432,two:5432')
  const host = (decoded(parts['host']) ?? 'localhost').replace(/^\[(.*)\]$/, '$1')
  const port = Number(parts['port'] || otherPort || defaultPort)
  if (!(port > 0 && port < 65_536)) throw new AddressProblem('ports from 1 to 65535')
  return host.startsWith('/') ? { host, port, path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

function tlsOf(query: ReadonlyMap<string, string>): Pick<DatabaseAddress, 'tls' | 'tlsAuthorities'> {
  const ofClient = ['sslcert', 'sslkey'].find((name) => query.has(name))
  if (ofClient !== undefined)
    throw new AddressProblem(
      `an address without ${ofClient}: certificates of clients are not supported, a password is`,
    )
  const tlsAuthorities = query.get('sslrootcert') ?? null
  const given = query.get('sslmode') ?? query.get('ssl')
  const named = given === 'true' ? 'require' : given === 'false' ? 'disable' : given
  const mode = tlsModes.find((one) => one === named)
  if (named !== undefined && mode === undefined)
    throw new AddressProblem(`an address whose sslmode is one of ${tlsModes.join(', ')}`)
  // As libpq does: who names authorities wants the certificate to be checked.
  if (tlsAuthorities === 'system') return { tls: 'verify-full', tlsAuthorities }
  if (tlsAuthorities !== null && (mode === undefined || mode === 'require'))
    return { tls: 'verify-ca', tlsAuthorities }
  // As libpq does, too: one more question where the server has no TLS, and where it asks for it, no refusal.
  return { tls: mode ?? 'prefer', tlsAuthorities }
}

/** What cannot be written to is never used, so that most values say the same. */
function refuseOtherSessions(wanted: string | undefined): void {
  if (wanted === undefined || ['any', 'read-write', 'primary'].includes(wanted)) return
  throw new AddressProblem('an address whose target_session_attrs is read-write, primary or any')
}

function pooledOf(text: string | undefined): boolean | null {
  if (text === undefined) return null
  if (text !== 'true' && text !== 'false')
    throw new AddressProblem('an address whose pooler is true or false')
  return text === 'true'
}

/** Read above, and no setting of the server. */
const ownParameters = new Set(
  'host port user password dbname ssl sslmode sslrootcert pooler pgbouncer target_session_attrs channel_binding'.split(
    ' ',
  ),
)

const parametersOf = (query: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => !ownParameters.has(name) && !ignoredParameters.has(name)))
