const words = new Uint32Array(2)

/**
 * An id for one JSON-RPC request to another server that nobody can guess, so that no response to another request can be
 * taken for its own. Between 1e13 and 4.6e13: 45 random bits in 14 digits, which every JSON library keeps as they are.
 */
export function unpredictableId(): number {
  crypto.getRandomValues(words)
  const [high = 0, low = 0] = words
  return 1e13 + (high & 0x1fff) * 2 ** 32 + low
}

/** The ids of a batch stand above this one: `base + 1` for its first call. */
export function unpredictableBase(): number {
  const id = unpredictableId()
  return id - (id % 1e4)
}
