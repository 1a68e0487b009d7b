/** Says when a circuit breaker opens, and for how long. Times are in ms. */
export interface CircuitBreakerSettings {
  /** The number of failures in a row after which it opens. */
  readonly failuresToOpen: number
  /** The first pause; it doubles with each further failure. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** The time after which a trial that nobody finished no longer keeps others waiting. */
  readonly trialMs: number
}

/**
 * A circuit breaker: it leaves a server alone that fails again and again, and lets one call try it after a pause, which
 * doubles until a trial succeeds. Instants are ms of a clock that never runs back.
 */
export class CircuitBreaker {
  readonly #settings: CircuitBreakerSettings
  #failures = 0
  #pauseMs = 0
  #openUntil = 0
  #trialUntil = 0

  constructor(settings: CircuitBreakerSettings) {
    this.#settings = settings
  }

  /** True while it is closed, as it nearly always is; needs no clock. */
  get isClosed(): boolean {
    return this.#failures < this.#settings.failuresToOpen
  }

  state(now: number): 'closed' | 'half-open' | 'open' {
    if (this.isClosed) return 'closed'
    return now >= this.#openUntil && now >= this.#trialUntil ? 'half-open' : 'open'
  }

  /** Returns the ms until the next trial; 0 when it may begin now. */
  openForMs(now: number): number {
    return Math.max(0, this.#openUntil - now, this.#trialUntil - now)
  }

  /** Called when a call is sent. */
  begin(now: number): void {
    if (this.#failures >= this.#settings.failuresToOpen) this.#trialUntil = now + this.#settings.trialMs
  }

  succeed(): void {
    this.#failures = 0
    this.#pauseMs = 0
  }

  fail(now: number): void {
    this.#failures++
    if (this.#failures < this.#settings.failuresToOpen) return
    this.#pauseMs = Math.min(
      this.#settings.longestPauseMs,
      this.#pauseMs === 0 ? this.#settings.firstPauseMs : this.#pauseMs * 2,
    )
    this.#openUntil = now + this.#pauseMs
    this.#trialUntil = 0
  }
}
