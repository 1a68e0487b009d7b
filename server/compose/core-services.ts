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
