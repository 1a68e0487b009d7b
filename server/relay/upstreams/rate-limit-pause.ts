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
