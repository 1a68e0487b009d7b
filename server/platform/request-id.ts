const words = new Uint32Array(2)

/** Seven digits and the first of them no zero, as every JSON library keeps the whole of a number that begins like this. */
const digits = (word: number): number => 1_000_000 + (word % 9_000_000)

/**
 * JSON text of an id for one JSON-RPC request to another server that nobody can guess, so that no response to another
 * request can be taken for its own: 14 digits with 46 random bits. In two halves, because writing a number beyond 32 bits
 * takes longer than all the rest of a request.
 */
export function unpredictableId(): string {
  crypto.getRandomValues(words)
  const [high = 0, low = 0] = words
  return `${digits(high)}${digits(low)}`
}

/** What the ids of one batch begin with: ten digits. */
export const unpredictablePrefix = (): string => unpredictableId().slice(0, 10)

/** JSON text of the id of a call, by its place in the batch from 0 on. */
export const idInBatch = (prefix: string, place: number): string =>
  `${prefix}${String(place + 1).padStart(4, '0')}`
