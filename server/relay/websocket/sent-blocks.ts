/** A block, as far as it says where it belongs. */
export interface BlockLink {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
}

/** A re-organisation that is deeper is not followed. */
const keptBlocks = 128

/** The blocks that were told last, by their numbers. */
export class SentBlocks {
  readonly #hashes = new Map<number, string>()
  #last = -1

  /** Returns the number of the last block; null before the first one. */
  get last(): number | null {
    return this.#last < 0 ? null : this.#last
  }

  hashAt(number: number): string | undefined {
    return this.#hashes.get(number)
  }

  /** Takes a block, with which all later ones are gone unless it was told before. Returns false when it was. */
  take({ number, hash }: Pick<BlockLink, 'number' | 'hash'>): boolean {
    if (this.#hashes.get(number) === hash) return false
    for (let later = number + 1; later <= this.#last; later++) this.#hashes.delete(later)
    this.#hashes.set(number, hash)
    this.#hashes.delete(number - keptBlocks)
    if (number > this.#last + keptBlocks) this.#forgetBefore(number)
    this.#last = number
    return true
  }

  clear(): void {
    this.#hashes.clear()
    this.#last = -1
  }

  #forgetBefore(number: number): void {
    for (const known of this.#hashes.keys()) if (known < number) this.#hashes.delete(known)
  }
}

/** Reads the block of a notification or an answer; null when it is none. */
export function blockLinkOf(value: unknown): BlockLink | null {
  if (typeof value !== 'object' || value === null) return null
  const { number, hash, parentHash } = value as Record<string, unknown>
  const height = quantityIn(number)
  if (height === null || typeof hash !== 'string' || typeof parentHash !== 'string') return null
  return { number: height, hash, parentHash }
}

/** Returns the number that a quantity such as `"0x1f"` stands for, else null. */
export const quantityIn = (value: unknown): number | null =>
  typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number.parseInt(value, 16) : null
