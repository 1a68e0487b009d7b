/** Random words, drawn many at once: asking for each takes longer than writing an id. */
const words = new Uint32Array(512)
const cursor = { at: words.length }

const fourDigits = Array.from({ length: 4_096 }, (_, place) => String(1_000 + place))
const twoDigits = Array.from({ length: 64 }, (_, place) => String(10 + place))

function word(): number {
  if (cursor.at === words.length) {
    crypto.getRandomValues(words)
    cursor.at = 0
  }
  return words[cursor.at++] ?? 0
}

/**
 * JSON text of an id for one JSON-RPC request to another server that nobody can guess, so that no response to another
 * request can be taken for its own: 42 random bits as a number of 14 digits, which every JSON library keeps whole. Out
 * of tables, because writing numbers takes longer than reading the response.
 */
export function unpredictableId(): string {
  const high = word()
  const low = word()
  const first = `${fourDigits[high & 4_095]}${fourDigits[(high >>> 12) & 4_095]}`
  return `${first}${fourDigits[low & 4_095]}${twoDigits[(low >>> 12) & 63]}`
}

/** Returns the ten digits with which the ids of one batch begin. */
export const unpredictablePrefix = (): string => unpredictableId().slice(0, 10)

const firstPlaces = Array.from({ length: 1_000 }, (_, place) => digitsOf(place))

/** JSON text of the id of a call, by its place in the batch from 0 on. */
export const idInBatch = (prefix: string, place: number): string =>
  prefix + (firstPlaces[place] ?? digitsOf(place))

function digitsOf(place: number): string {
  return String(place + 1).padStart(4, '0')
}
