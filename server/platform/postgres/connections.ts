import postgres from 'postgres'
import { arrayTypes } from './array-types.ts'
import { parseAddress } from './connection-address.ts'

/**
 * postgres.js for statements only. Its `begin` and `reserve` end the whole process when the server goes away at
 * the wrong moment (see transaction.ts), its `listen` loses subscriptions: `Database` has its own.
 * Pass an array as it is, with a cast (`${ids}::text[]`): `sql.array` needs types that are not fetched.
 */
export type Sql = postgres.ISql
export type TransactionSql = postgres.ISql

/** No statement outside a transaction runs longer than this, whatever became of its caller. */
const statementTimeoutMs = 30_000

/** The time that statements in progress may still take when their connections are being replaced. */
const retirementSec = 2

export interface GenerationOptions {
  url: string
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
  #isRetired = false
  #isLost = false

  constructor(options: GenerationOptions) {
    const onclose = (): void => {
      if (this.#isLost) return
      this.#isLost = true
      if (!this.#isRetired) options.onLost(this)
    }
    const controlOptions = {
      ...driverOptions(options.url),
      onclose,
      max: 1,
      // Read by postgres.js, missing in its types. Its own `listen` loses subscriptions when a reconnect fails.
      onnotify: options.onNotification,
    }
    const { url } = parseAddress(options.url)
    this.pool = postgres(url, { ...driverOptions(options.url), onclose, max: options.maxConnections })
    this.#control = postgres(url, controlOptions)
  }

  /** True from the moment in which the first of its connections was closed. */
  get isLost(): boolean {
    return this.#isLost
  }

  async askWhetherAlive(): Promise<void> {
    await this.#control`select 1`
  }

  async subscribe(channel: string): Promise<void> {
    // Not the driver's identifiers: those take a dot for a separator.
    await this.#control.unsafe(`listen "${channel.replaceAll('"', '""')}"`)
  }

  /** Refuses new statements at once, and ends those under way after a while. */
  async retire(): Promise<void> {
    this.#isRetired = true
    await Promise.all([
      this.pool.end({ timeout: retirementSec }),
      this.#control.end({ timeout: retirementSec }),
    ])
  }
}

/** The options that every connection to the database has in common. */
export function driverOptions(url: string): postgres.Options<Record<string, postgres.PostgresType>> {
  const { path } = parseAddress(url)
  return {
    ...(path === undefined ? {} : { path }),
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
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    },
  }
}
