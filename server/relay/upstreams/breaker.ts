/** After so many failures one after the other, an upstream is left alone. */
const failuresToOpen = 5
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** A trial that nobody finished counts for nothing after this. */
const trialMs = 10_000

/**
 * Leaves an upstream alone that fails again and again, and lets one call try it after a pause, which doubles until a
 * try succeeds. Time is given in ms of a clock that never runs back.
 */
export class Breaker {
  #failures = 0
  #pauseMs = 0
  #openUntil = 0
  #trialUntil = 0

  /** Tells it without the time, as it nearly always is. */
  get isClosed(): boolean {
    return this.#failures < failuresToOpen
  }

  state(now: number): 'closed' | 'half-open' | 'open' {
    if (this.isClosed) return 'closed'
    return now >= this.#openUntil && now >= this.#trialUntil ? 'half-open' : 'open'
  }

  /** A call is sent. */
  begin(now: number): void {
    if (this.#failures >= failuresToOpen) this.#trialUntil = now + trialMs
  }

  succeed(): void {
    this.#failures = 0
    this.#pauseMs = 0
  }

  fail(now: number): void {
    this.#failures++
    if (this.#failures < failuresToOpen) return
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs === 0 ? firstPauseMs : this.#pauseMs * 2)
    this.#openUntil = now + this.#pauseMs
    this.#trialUntil = 0
  }
}
