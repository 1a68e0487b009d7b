import type { Decision } from '../../../shared/health.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import { CircuitBreaker } from '../../platform/circuit-breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ConnectionPool } from '../../platform/http-client/connection-pool.ts'
import type { PooledRequest } from '../../platform/http-client/pooled-connection.ts'
import type { Budget } from '../budgets/budget.ts'
import type { DecisionOf } from '../ports.ts'
import type { UpstreamState } from './choose.ts'
import type { AttemptClass } from '../forward/attempt-class.ts'
import { secretsOf } from './secrets.ts'

interface UpstreamOptions {
  readonly upstream: Upstream
  /** The index among the upstreams of the endpoint. */
  readonly index: number
  readonly budget: Budget | null
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
  readonly tier: number
  /** What it may be asked; null: as much as it takes. */
  readonly budget: Budget | null
  readonly serviceId: string | null
  readonly secrets: readonly string[]
  readonly circuitBreaker = new CircuitBreaker(breakerSettings)
  readonly latency = new LatencyEstimate()
  readonly limitPause = new RateLimitPause()
  readonly batchBound = new BatchBound()
  /** How many HTTP attempts were answered, and how many ended otherwise. */
  answers = 0
  readonly failures = new Map<AttemptClass, number>()
  /** Null: its answers are never asked for compressed. */
  readonly longAnswers: LongAnswers | null
  readonly pool: ConnectionPool
  readonly #decisionOf: DecisionOf
  readonly #clock: Clock
  readonly #maxInFlight: number

  constructor({ upstream, index, budget, pool, decisionOf, clock, maxInFlight }: UpstreamOptions) {
    this.id = upstream.id
    this.index = index
    this.weight = upstream.weight
    this.tier = upstream.tier
    this.budget = budget
    this.secrets = secretsOf(upstream)
    this.longAnswers = upstream.compression ? new LongAnswers() : null
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

/** From this length on an answer takes longer on its way than it takes to be compressed and decompressed. */
const longChars = 4_096
/** So many answers are long together, whatever they are. */
const longBatch = 20
const maxLongMethods = 500

/**
 * The methods to which an upstream has given long answers. Only these are asked for compressed: many nodes compress what is
 * short as well, and a short answer that is compressed takes longer everywhere.
 */
export class LongAnswers {
  readonly #methods = new Set<string>()

  expects(calls: readonly { readonly method: string }[]): boolean {
    if (calls.length >= longBatch) return true
    if (this.#methods.size === 0) return false
    for (const { method } of calls) if (this.#methods.has(method)) return true
    return false
  }

  /** `length`: that of the decompressed answer to these calls. */
  learn(calls: readonly { readonly method: string }[], length: number): void {
    const [first] = calls
    if (length < longChars || calls.length !== 1 || first === undefined) return
    if (this.#methods.size < maxLongMethods) this.#methods.add(first.method)
  }
}

/** How long it is remembered that a node takes no longer batches. */
const batchBoundMs = 3_600_000
/** Long enough for the parts of one batch: the next one may be of smaller calls. */
const sizeBoundMs = 60_000

interface Refused {
  readonly most: number | null
  readonly isBySize?: true
}

/** How many calls an upstream takes at once, as its refusals have shown. Instants are ms of a clock that never runs back. */
export class BatchBound {
  #most = Number.POSITIVE_INFINITY
  #until = 0

  most(now: number): number {
    return now < this.#until ? this.#most : Number.POSITIVE_INFINITY
  }

  /** `most`: what the upstream takes; null: it did not say, and half of `count` is tried next. */
  refuse(count: number, { most, isBySize }: Refused, now: number): void {
    this.#most = Math.min(this.most(now), most ?? Math.max(1, Math.floor(count / 2)))
    this.#until = now + (isBySize === true ? sizeBoundMs : batchBoundMs)
  }
}

/** Returns the upstreams that limit us at present, as bits. */
export function limiting(
  clients: readonly Pick<UpstreamClient, 'index' | 'limitPause'>[],
  now: number,
): number {
  let limited = 0
  for (const { index, limitPause } of clients) if (limitPause.remainingMs(now) > 0) limited |= 1 << index
  return limited
}

type Bounded = Pick<UpstreamClient, 'index' | 'batchBound'>

/** Returns the upstreams that take fewer calls at once, as bits. */
export function takingLess(clients: readonly Bounded[], count: number, now: number): number {
  let less = 0
  for (const { index, batchBound } of clients) if (batchBound.most(now) < count) less |= 1 << index
  return less
}

/** The weight of a new latency in the mean. */
const newShare = 0.1
const stepShare = 0.05
const leastStepMs = 0.05

/** Estimates how fast an upstream answers: an exponentially weighted mean, and percentiles, all in ms. */
export class LatencyEstimate {
  #meanMs: number | null = null
  /** Those that were asked for. */
  readonly #percentiles: Percentile[] = []

  /** Null before the first call. */
  get meanMs(): number | null {
    return this.#meanMs
  }

  /** Returns 0 before the first call. */
  percentileMs(percentile: number): number {
    for (const each of this.#percentiles) if (each.percentile === percentile) return each.ms
    this.#percentiles.push({ percentile, slowShare: 1 - percentile / 100, ms: (this.#meanMs ?? 0) * 2 })
    return (this.#meanMs ?? 0) * 2
  }

  record(tookMs: number): void {
    if (this.#meanMs === null) {
      this.#meanMs = tookMs
      for (const each of this.#percentiles) each.ms = tookMs * 2
      return
    }
    this.#meanMs += newShare * (tookMs - this.#meanMs)
    for (const each of this.#percentiles) approach(each, tookMs)
  }
}

interface Percentile {
  readonly percentile: number
  /** The share of calls that are slower. */
  readonly slowShare: number
  ms: number
}

/**
 * Of the 95th percentile, up by 19 small steps for each step down: in balance where 5 % are slower (Ma, Muthukrishnan,
 * Sandler: frugal streaming, 2013).
 */
function approach(each: Percentile, tookMs: number): void {
  const step = Math.max(leastStepMs, each.ms * stepShare)
  each.ms = Math.max(0, each.ms + (tookMs > each.ms ? step * (1 - each.slowShare) : -step * each.slowShare))
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
