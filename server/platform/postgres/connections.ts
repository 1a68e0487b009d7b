import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { secondMs } from '../../../shared/durations.ts'
import { arrayTypes } from './array-types.ts'
import { AddressProblem, type DatabaseAddress, type ServerPlace } from './connection-address.ts'

/**
 * postgres.js for statements only. Its `begin` and `reserve` end the whole process when the server goes away at
 * the wrong moment (see transaction.ts), its `listen` loses subscriptions: `Database` has its own.
 * Pass an array as it is, with a cast (`${ids}::text[]`): `sql.array` needs types that are not fetched.
 */
export type Sql = postgres.ISql
export type TransactionSql = postgres.ISql

/** No statement outside a transaction runs longer than this, whatever became of its caller. */
export const statementTimeoutMs = 30_000

/** The time that statements in progress may still take when their connections are being replaced. */
const retirementSec = 2

export interface GenerationOptions {
  address: DatabaseAddress
  place: ServerPlace
  maxConnections: number
  onNotification(channel: string, payload: string): void
  /** Called when a connection was closed by anybody but us. */
  onLost(generation: Generation): void
}

/**
 * One generation of connections. postgres.js leaves callers pending and subscriptions dead on a connection that
 * the server closed (it keeps the timer of a write that never happens, see `nextWriteTimer` in its connection.js),
 * so a generation that lost one connection is replaced as a whole.
 */
export class Generation {
  /** The connections for everybody's statements. */
  readonly pool: postgres.Sql
  /** One connection that is never busy with them: subscriptions, and the question whether the server is there. */
  readonly #control: postgres.Sql
  /** The most connections of `pool`. */
  readonly maxConnections: number
  #isRetired = false
  #isLost = false

  constructor(options: GenerationOptions) {
    this.maxConnections = options.maxConnections
    const onclose = (): void => {
      if (this.#isLost) return
      this.#isLost = true
      if (!this.#isRetired) options.onLost(this)
    }
    const driver = driverOptions(options.address, options.place)
    const controlOptions = {
      ...driver,
      onclose,
      max: 1,
      // Read by postgres.js, missing in its types. Its own `listen` loses subscriptions when a reconnect fails.
      onnotify: options.onNotification,
    }
    const pool = postgres({ ...driver, onclose, max: this.maxConnections })
    this.pool = options.address.isPooled === true ? oneAtATime(pool) : pool
    this.#control = postgres(controlOptions)
  }

  /** True from the moment in which the first of its connections was closed. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Rejects when the server does not answer, and when it can only be read: a failover has made it a standby. */
  async askWhetherAlive(): Promise<void> {
    const [row] = await this.#control<{ is_read_only: boolean }[]>`
      select current_setting('transaction_read_only') = 'on' as is_read_only`
    if (row?.is_read_only) throw readOnlyServer()
  }

  async subscribe(channel: string): Promise<void> {
    // Not the driver's identifiers: those take a dot for a separator.
    await this.#control.unsafe(`listen "${channel.replaceAll('"', '""')}"`)
  }

  /** Refuses new statements at once, and ends those under way after a while. */
  async retire(): Promise<void> {
    this.#isRetired = true
    const clients = [closable(this.pool), closable(this.#control)]
    await Promise.all(clients.map((client) => client.end({ timeout: retirementSec })))
    // The driver opens a connection anew for a statement that waited for one (`onclose` in its index.js), and keeps it
    // when the statement is done, so that each outage would take some of the server's connections for good.
    let secondsLeft = (2 * statementTimeoutMs) / secondMs
    const closing = setInterval(() => {
      for (const client of clients) void client.close()
      if (--secondsLeft === 0) clearInterval(closing)
    }, secondMs)
    closing.unref()
  }
}

/** `end` has an effect once; `close`, which the types of postgres.js lack, each time. */
type Closable = postgres.Sql & { close(): Promise<void> }

const closable = (sql: postgres.Sql): Closable => sql as Closable

/** With PostgreSQL's code for a write that is refused. */
export const readOnlyServer = (): Error =>
  Object.assign(new Error('the server can only be read'), { code: '25006' })

/** The options that every connection to the database has in common. */
export function driverOptions(
  address: DatabaseAddress,
  place: ServerPlace = address.servers[0],
): postgres.Options<Record<string, postgres.PostgresType>> {
  const { user, password, database, isPooled, parameters } = address
  return {
    ...singleServer(place),
    ...(place.path === undefined ? { ssl: tlsOptions(address, place) } : { path: place.path }),
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    // A pooler gives each transaction another connection, which does not know statements that were prepared on one.
    prepare: isPooled !== true,
    connect_timeout: 3,
    fetch_types: false,
    types: arrayTypes,
    // The default grows to 20 s, during which callers hang although the server is back.
    backoff: () => 0.2,
    // Any close is then unexpected, and means that something happened to the server.
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: {
      application_name: 'gatehouse',
      // A pooler refuses them. Transactions set their own limits, see transaction.ts.
      ...(isPooled === true
        ? {}
        : {
            statement_timeout: statementTimeoutMs,
            idle_in_transaction_session_timeout: statementTimeoutMs,
          }),
      ...parameters,
    },
  }
}

/**
 * The driver sends a statement before the one in front of it is answered, and one that has values in two parts. A pooler hands the
 * connection on at that answer, so that the second part reaches another server: statements got each other's values, or no
 * answer for ever. Here a connection takes the next statement when it has answered the last one; within a transaction, for
 * which a pooler keeps a connection, nothing changes. `onexecute` is read by postgres.js, and missing in its types.
 */
function oneAtATime(sql: postgres.Sql): postgres.Sql {
  return new Proxy(sql, {
    apply(target, thisValue, args) {
      const made: unknown = Reflect.apply(target, thisValue, args)
      if (isStatement(made)) made.options['onexecute'] = takesNoMore
      return made
    },
  })
}

const takesNoMore = (): boolean => false

const isStatement = (made: unknown): made is { readonly options: Record<string, unknown> } =>
  made instanceof Promise && 'options' in made

/** As lists, which postgres.js does not take apart at the colons of an IPv6 address; its types do not have them. */
const singleServer = ({ host, port }: ServerPlace) =>
  ({ host: [host], port: [port] }) as unknown as { host: string; port: number }

/** The meanings of libpq's `sslmode` (PostgreSQL manual, "Protection Provided in Different Modes"). */
function tlsOptions({ tls, tlsAuthorities }: DatabaseAddress, { host }: ServerPlace) {
  if (tls === 'disable') return false
  if (tls === 'allow' || tls === 'prefer') return 'prefer'
  if (tls === 'require') return 'require'
  const isOfFile = tlsAuthorities !== null && tlsAuthorities !== 'system'
  return {
    host,
    rejectUnauthorized: true,
    ...(isOfFile ? { ca: readAuthorities(tlsAuthorities) } : {}),
    ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

/** Read for each new set of connections, because authorities are replaced while we run. */
function readAuthorities(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new AddressProblem(`the file of sslrootcert, ${path}, cannot be read`, { cause: error })
  }
}
