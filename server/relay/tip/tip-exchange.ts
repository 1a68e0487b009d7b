import type { SharedTips, TipView } from './shared-tips.ts'

/** The tip of an endpoint as this process knows it. */
export interface OwnTip {
  /** The name of the endpoint and of its chain, for the other processes. */
  readonly name: string
  now(): number
  view(): TipView
  /** Returns a number that changes whenever callers may be told of another newest block. */
  version(): number
  takeOver(view: TipView): void
}

/** Keeps the tip of an endpoint in step with the other processes, so that a caller who is passed around sees one chain. */
export class TipExchange {
  readonly #own: OwnTip
  readonly #shared: SharedTips
  #underWay: Promise<void> | null = null
  #next: Promise<void> | null = null
  #exchangedAt = Number.NEGATIVE_INFINITY
  /** The version of the tip that the others can know, and the one that the exchange under way tells. */
  #toldVersion: number | null = null
  #tellingVersion: number | null = null

  constructor(own: OwnTip, shared: SharedTips) {
    this.#own = own
    this.#shared = shared
  }

  /**
   * Resolves once this process knows whatever another one had told its callers before the call, and the others can know
   * what this one knows. Null: what was exchanged is not older than `maxAgeMs`.
   */
  exchanged(maxAgeMs: number): Promise<void> | null {
    if (this.#own.now() - this.#exchangedAt < maxAgeMs) return null
    if (this.#underWay === null) return (this.#underWay = this.#exchangeOnce())
    // The one under way may have read the store before: all who come by now share the next one.
    this.#next ??= this.#underWay.then(() => {
      this.#next = null
      return (this.#underWay = this.#exchangeOnce())
    })
    return this.#next
  }

  /** Resolves once the others can know of the newest block here. Null: they can already. */
  told(): Promise<void> | null {
    const version = this.#own.version()
    if (this.#toldVersion === version) return null
    return this.#tellingVersion === version ? this.#underWay : this.exchanged(0)
  }

  async #exchangeOnce(): Promise<void> {
    const { name, now, view, version, takeOver } = this.#own
    const startedAt = now()
    const telling = version()
    this.#tellingVersion = telling
    try {
      const known = await this.#shared.exchange(name, view())
      const isStill = version() === telling
      if (known !== null) takeOver(known)
      // What was taken over is known to the others as well. While the store is away, nobody is kept waiting for it.
      this.#toldVersion = isStill ? version() : telling
    } finally {
      this.#exchangedAt = startedAt
      this.#underWay = null
      this.#tellingVersion = null
    }
  }
}
