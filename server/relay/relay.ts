import type { AddressLimit } from '../http/address-limit.ts'
import type { DirectRoute } from '../http/direct-route.ts'
import type { Limits } from '../limits/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createDoor } from './door.ts'
import type { LimitHeaders } from './http-answers.ts'
import { createRoutes } from './forward/routes.ts'
import type { DecisionOf, RelayEndpoints, RelayKeys, RelayMeter } from './parties.ts'
import { createRelayCalls } from './relay-calls.ts'
import { createRelayMetrics } from './relay-metrics.ts'
import { type RelaySettings, relaySettings } from './settings.ts'
import { createCallerSockets } from './websocket/caller-sockets.ts'

export interface RelayOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly limits: Pick<Limits, 'admit'>
  readonly limitHeaders: LimitHeaders
  readonly meter: RelayMeter
  readonly decisionOf: DecisionOf
  /** Of requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly egress: StreamingEgress
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly settings?: Partial<RelaySettings>
}

/** The data plane: JSON-RPC with a query key. */
export interface Relay {
  /** For HTTP and WebSocket. */
  readonly route: DirectRoute
  /** Lets no WebSocket in any more, and closes those that are open when what is under way is answered. */
  leaveSockets(): Promise<void>
  /** Ends what is under way, and closes the connections to upstreams. */
  close(): void
}

export function createRelay(options: RelayOptions): Relay {
  const { keys, endpoints, limits, limitHeaders, meter, wrongKeys, clock } = options
  const settings = { ...relaySettings, ...options.settings }
  const numbers = createRelayMetrics(options.metrics, () => routes.openBreakers())
  const routes = createRoutes({ ...options, settings, numbers, random: Math.random })
  const relayCalls = createRelayCalls({ routes, limits, meter, clock, settings })
  const sockets = createCallerSockets(
    {
      ...options,
      settings,
      numbers,
      relayCalls,
      resolve: options.egress.resolve,
      now: clock.monotonic,
      random: Math.random,
    },
    options.metrics,
  )
  const door = { keys, endpoints, relayCalls, sockets, limitHeaders, wrongKeys, numbers }
  return {
    route: createDoor({ ...door, bodyBytes: settings.bodyBytes }),
    leaveSockets: sockets.leave,
    close: () => routes.close(),
  }
}
