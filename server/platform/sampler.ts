/** Decides which things of one kind are kept: all of a quiet second, and one in so many above that. */
export class Sampler {
  readonly #whole: number
  readonly #oneIn: number
  #second = 0
  #seen = 0
  #skipped = 0

  constructor(wholePerSecond: number, oneIn: number) {
    this.#whole = wholePerSecond
    this.#oneIn = oneIn
  }

  /** Returns how many of its kind this one stands for, those that were skipped before it included; 0 when it is skipped, too. */
  weightAt(now: number): number {
    const second = Math.floor(now / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#seen = 0
    }
    this.#seen++
    if (this.#seen > this.#whole && (this.#seen - this.#whole) % this.#oneIn !== 0) {
      this.#skipped++
      return 0
    }
    const weight = 1 + this.#skipped
    this.#skipped = 0
    return weight
  }
}
