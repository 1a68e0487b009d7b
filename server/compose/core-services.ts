import type { Database } from '../platform/database.ts'
import type { InternalHttp } from '../platform/internal-http/internal-http.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Traces } from '../traces/traces.ts'
import type { Vault } from '../platform/vault.ts'

/** The services that every domain needs. */
export interface CoreServices {
  readonly log: Log
  readonly metrics: Metrics
  readonly database: Database
  readonly vault: Vault
  /** Null without a collector. */
  readonly traces: Traces | null
  readonly clock: SteadyClock
  /** The other processes of this installation. */
  readonly internal: InternalHttp
  /** The id of this process among them. */
  readonly nodeId: string
}

/** Shows in the metrics what runs, and how its database is. */
export function observeCore(metrics: Metrics, database: Database, version: string): void {
  const build = { version, bun: Bun.version }
  metrics.observedGauges('build_info', 'Always 1; what runs is in the labels', ['version', 'bun'], () => [
    { labels: build, value: 1 },
  ])
  metrics.observedGauge(
    'database_statements',
    'Statements and transactions under way or waiting for a connection',
    () => database.load().underWay,
  )
  metrics.observedGauge('database_away', '1 while the database does not answer', () =>
    database.load().isAway ? 1 : 0,
  )
}
