/** How long (ms) a limit of nodes is remembered before it is tried again. */
const rememberedMs = 3_600_000

/** How many blocks the nodes of an endpoint answer at a time in calls for logs, as far as they have said so. */
export class LogRange {
  #blocks: number | null = null
  #until = 0

  /** Null: all at once, as far as is known. */
  blocks(now: number): number | null {
    return now < this.#until ? this.#blocks : null
  }

  learned(blocks: number, now: number): void {
    this.#blocks = Math.min(blocks, this.blocks(now) ?? blocks)
    this.#until = now + rememberedMs
  }
}
