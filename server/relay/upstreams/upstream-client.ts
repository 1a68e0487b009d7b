import type { Upstream } from '../../endpoints/endpoints.ts'
import type { Decision } from '../../../shared/health.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DecisionOf } from '../parties.ts'
import type { ConnectionPool, PooledRequest } from '../../platform/http-client/connection-pool.ts'
import { CircuitBreaker } from '../../platform/circuit-breaker.ts'
import type { Standing } from './choose.ts'
import { secretsOf } from './secrets.ts'
import { Latency } from './latency.ts'

interface UpstreamOptions {
  readonly upstream: Upstream
  /** Among those of the endpoint, from 0. */
  readonly place: number
  readonly pool: ConnectionPool
  readonly decisionOf: DecisionOf
  readonly clock: Clock
  /** More calls than this make it the choice of last resort. */
  readonly maxInFlight: number
}

const breakerSettings = {
  failuresToOpen: 5,
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
  trialMs: 10_000,
} as const

/** One upstream of an endpoint, with all that was learned about it. */
export class UpstreamClient implements Standing {
  readonly id: string
  readonly place: number
  readonly weight: number
  readonly secrets: readonly string[]
  readonly breakerState = new CircuitBreaker(breakerSettings)
  readonly latency = new Latency()
  readonly pool: ConnectionPool
  readonly #serviceId: string | null
  readonly #decisionOf: DecisionOf
  readonly #clock: Clock
  readonly #maxInFlight: number

  constructor({ upstream, place, pool, decisionOf, clock, maxInFlight }: UpstreamOptions) {
    this.id = upstream.id
    this.place = place
    this.weight = upstream.weight
    this.secrets = secretsOf(upstream)
    this.pool = pool
    this.#serviceId = upstream.serviceId
    this.#decisionOf = decisionOf
    this.#clock = clock
    this.#maxInFlight = maxInFlight
  }

  get decision(): Decision | null {
    return this.#serviceId === null ? null : this.#decisionOf(this.#serviceId)
  }

  get breaker(): 'closed' | 'half-open' | 'open' {
    return this.breakerState.isClosed ? 'closed' : this.breakerState.state(this.#clock.monotonic())
  }

  get isFull(): boolean {
    return this.pool.inFlight >= this.#maxInFlight
  }

  get latencyMs(): number | null {
    return this.latency.meanMs
  }

  send(request: PooledRequest): void {
    this.breakerState.begin(request.startedAt)
    this.pool.send(request)
  }
}
