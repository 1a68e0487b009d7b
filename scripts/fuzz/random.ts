/** Repeatable chance: the same seed makes the same choices. */
export interface Random {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for choosing requests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    below,
    chance: (share) => next() < share,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
  }
}
