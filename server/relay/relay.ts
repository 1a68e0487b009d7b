import type { AddressLimit } from '../http/address-limit.ts'
import type { DirectRoute } from '../http/direct-route.ts'
import type { Admission, Limits } from '../limits/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createDoor } from './door.ts'
import { createRoutes } from './forward/routes.ts'
import type { DecisionOf, RelayEndpoints, RelayKeys, RelayMeter } from './parties.ts'
import { createRelayCalls, type RelayCalls } from './relay-calls.ts'
import { createRelayMetrics } from './relay-metrics.ts'
import { type RelaySettings, relaySettings } from './settings.ts'

export interface RelayOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly limits: Pick<Limits, 'admit'>
  readonly limitHeaders: (admission: Admission) => Record<string, string>
  readonly meter: RelayMeter
  readonly decisionOf: DecisionOf
  /** Of requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly egress: StreamingEgress
  readonly clock: Clock
  readonly metrics: Metrics
  readonly settings?: Partial<RelaySettings>
}

/** The data plane: JSON-RPC with a query key. */
export interface Relay {
  /** For HTTP. */
  readonly route: DirectRoute
  /** For what comes by other ways, with a key that was checked: limits, metering and forwarding are the same. */
  readonly relayCalls: RelayCalls
  /** Ends what is under way, and closes the connections to upstreams. */
  close(): void
}

export function createRelay(options: RelayOptions): Relay {
  const { keys, endpoints, limits, limitHeaders, meter, wrongKeys, clock } = options
  const settings = { ...relaySettings, ...options.settings }
  const numbers = createRelayMetrics(options.metrics, () => routes.openBreakers())
  const routes = createRoutes({ ...options, settings, numbers, random: Math.random })
  const relayCalls = createRelayCalls({ routes, limits, meter, clock, settings })
  const door = { keys, endpoints, relayCalls, limitHeaders, wrongKeys, numbers }
  return {
    route: createDoor({ ...door, bodyBytes: settings.bodyBytes }),
    relayCalls,
    close: () => routes.close(),
  }
}
