import type { EndpointRoute } from '../forward/endpoint-route.ts'

/** After so many block times without a block a node is left. */
const silentBlocks = 3
/** Blocks of the quickest chains may be held up for so long (ms) by nothing but the network. */
const leastMs = 2_000
/** When other nodes were as silent, the chain itself may stand still. */
const longestMs = 60_000

type HeightOfTip = Pick<NonNullable<EndpointRoute['tip']>, 'height'> | null

/** How long a node that tells each block has told none. */
export class Silence {
  readonly #now: () => number
  /** Null while no stream tells each block. */
  #since: number | null = null
  /** The newest block of the endpoint when the last one was told. */
  #height = -1
  /** Since when another node has had a newer one; null: none has. */
  #behindSince: number | null = null
  /** How many nodes were left one after the other. */
  #left = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** A node was connected, or the last stream that tells each block was closed. */
  begin(): void {
    this.#since = null
    this.#behindSince = null
  }

  /** A stream was opened that tells each block. */
  expectBlocks(): void {
    this.#since ??= this.#now()
  }

  /** A block was told. */
  heard(tip: HeightOfTip): void {
    this.#since = this.#now()
    this.#height = tip?.height('latest') ?? -1
    this.#behindSince = null
    this.#left = 0
  }

  leftNode(): void {
    this.#left++
  }

  /**
   * Blocks that do not come in regular slots are missing only when another node has one that was not told. To be called
   * again and again.
   */
  isBroken({
    endpoint: { chain },
    tip,
  }: {
    endpoint: Pick<EndpointRoute['endpoint'], 'chain'>
    tip: HeightOfTip
  }): boolean {
    if (this.#since === null || chain === undefined) return false
    const now = this.#now()
    const mostMs = Math.min(longestMs, Math.max(leastMs, silentBlocks * chain.blockMs) * 2 ** this.#left)
    if (chain.headAge === 'slot') return now - this.#since >= mostMs
    if (this.#height < 0 || (tip?.height('latest') ?? -1) <= this.#height) return false
    this.#behindSince ??= now
    return now - this.#behindSince >= mostMs
  }
}
