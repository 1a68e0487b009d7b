import type { Decision } from '../../../shared/health.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import { CircuitBreaker } from '../../platform/circuit-breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ConnectionPool, PooledRequest } from '../../platform/http-client/connection-pool.ts'
import type { DecisionOf } from '../ports.ts'
import type { UpstreamState } from './choose.ts'
import type { AttemptClass } from '../forward/attempt-class.ts'
import { secretsOf } from './secrets.ts'

interface UpstreamOptions {
  readonly upstream: Upstream
  /** The index among the upstreams of the endpoint. */
  readonly index: number
  readonly pool: ConnectionPool
  readonly decisionOf: DecisionOf
  readonly clock: Clock
  /** An upstream with this many requests in flight is chosen only when there is no other. */
  readonly maxInFlight: number
}

const breakerSettings = {
  failuresToOpen: 5,
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
  trialMs: 10_000,
} as const

/** One upstream of an endpoint: its connections, and what was learned about it. */
export class UpstreamClient implements UpstreamState {
  readonly id: string
  readonly index: number
  readonly weight: number
  readonly serviceId: string | null
  readonly secrets: readonly string[]
  readonly circuitBreaker = new CircuitBreaker(breakerSettings)
  readonly latency = new LatencyEstimate()
  readonly limitPause = new RateLimitPause()
  /** How many HTTP attempts were answered, and how many ended otherwise. */
  answers = 0
  readonly failures = new Map<AttemptClass, number>()
  readonly pool: ConnectionPool
  readonly #decisionOf: DecisionOf
  readonly #clock: Clock
  readonly #maxInFlight: number

  constructor({ upstream, index, pool, decisionOf, clock, maxInFlight }: UpstreamOptions) {
    this.id = upstream.id
    this.index = index
    this.weight = upstream.weight
    this.secrets = secretsOf(upstream)
    this.pool = pool
    this.serviceId = upstream.serviceId
    this.#decisionOf = decisionOf
    this.#clock = clock
    this.#maxInFlight = maxInFlight
  }

  get decision(): Decision | null {
    return this.serviceId === null ? null : this.#decisionOf(this.serviceId)
  }

  get breaker(): 'closed' | 'half-open' | 'open' {
    return this.circuitBreaker.isClosed ? 'closed' : this.circuitBreaker.state(this.#clock.monotonic())
  }

  get isFull(): boolean {
    return this.pool.inFlight >= this.#maxInFlight
  }

  get latencyMs(): number | null {
    return this.latency.meanMs
  }

  countFailure(attemptClass: AttemptClass): void {
    this.failures.set(attemptClass, (this.failures.get(attemptClass) ?? 0) + 1)
  }

  send(request: PooledRequest): void {
    this.circuitBreaker.begin(request.startedAt)
    this.pool.send(request)
  }
}

/** The weight of a new latency in the mean. */
const newShare = 0.1
/** The share of calls that are slower than the 95th percentile. */
const slowShare = 0.05
const stepShare = 0.05
const leastStepMs = 0.05

/** Estimates how fast an upstream answers: an exponentially weighted mean, and the 95th percentile, both in ms. */
export class LatencyEstimate {
  #meanMs: number | null = null
  #p95Ms = 0

  /** Null before the first call. */
  get meanMs(): number | null {
    return this.#meanMs
  }

  /** 0 before the first call. */
  get p95Ms(): number {
    return this.#p95Ms
  }

  record(tookMs: number): void {
    if (this.#meanMs === null) {
      this.#meanMs = tookMs
      this.#p95Ms = tookMs * 2
      return
    }
    this.#meanMs += newShare * (tookMs - this.#meanMs)
    // Up by 19 small steps for each step down: in balance where 5 % are slower (Ma, Muthukrishnan, Sandler: frugal
    // streaming, 2013).
    const step = Math.max(leastStepMs, this.#p95Ms * stepShare)
    this.#p95Ms += tookMs > this.#p95Ms ? step * (1 - slowShare) : -step * slowShare
    if (this.#p95Ms < 0) this.#p95Ms = 0
  }
}

/** The first pause after a limit without `Retry-After`; it doubles with each further one. */
const firstPauseMs = 1_000
const longestBackOffMs = 60_000
/** A provider may ask for a day. A call that tries it before then costs one refusal. */
const longestPauseMs = 300_000

/** How long a node that limits us is left alone. Instants are ms of a clock that never runs back. */
export class RateLimitPause {
  #until = 0
  #backOffMs = 0

  /** Returns for how many ms the node is left alone; 0 when it may be called. */
  remainingMs(now: number): number {
    return this.#until === 0 ? 0 : Math.max(0, this.#until - now)
  }

  /** Called when the node said that we ask too much. Calls in flight at the same time are told so together. */
  begin(now: number, retryAfterMs: number | null): void {
    if (now >= this.#until) this.#backOffMs = Math.min(longestBackOffMs, this.#backOffMs * 2 || firstPauseMs)
    const pauseMs =
      retryAfterMs === null ? this.#backOffMs : Math.min(longestPauseMs, Math.max(firstPauseMs, retryAfterMs))
    this.#until = Math.max(this.#until, now + pauseMs)
  }

  /** Called when the node answered. */
  forgive(): void {
    this.#backOffMs = 0
  }
}
