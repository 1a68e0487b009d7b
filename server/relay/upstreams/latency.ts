/** How much a new latency counts against all earlier ones. */
const newShare = 0.1
/** Of the time that 95 of 100 calls keep below. */
const slowShare = 0.05
const stepShare = 0.05
const leastStepMs = 0.05

/** What is known of how fast an upstream answers: a mean that forgets, and the time that 95 % of the calls keep below. */
export class Latency {
  #meanMs: number | null = null
  #p95Ms = 0

  get meanMs(): number | null {
    return this.#meanMs
  }

  /** 0 before the first call. */
  get p95Ms(): number {
    return this.#p95Ms
  }

  take(tookMs: number): void {
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
