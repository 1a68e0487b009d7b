/** An inverted index: from words to the rows that have them, with the weight of the word in each row. */
export interface WordIndex {
  /** Calls `found` for each row that has the word, and for each row with a longer word that begins with it. */
  find(word: string, found: (row: number, weight: number) => void): void
}

export const maxWeight = 15
const weightBits = 4
/** Words shorter than this match only whole words, because too many words begin with them. */
const shortestPrefix = 3

/** Packs row and weight into one number, so that an index of millions of them stays small. */
const packed = (row: number, weight: number): number => (row << weightBits) | weight

export function createWordIndexBuilder() {
  const lists = new Map<string, number[]>()

  return {
    /** Adds the words of a row, each once. */
    add(row: number, words: ReadonlyMap<string, number>): void {
      for (const [word, weight] of words) {
        const list = lists.get(word)
        if (list) list.push(packed(row, weight))
        else lists.set(word, [packed(row, weight)])
      }
    },
    build(): WordIndex {
      const vocabulary = [...lists.keys()].toSorted()
      return createWordIndex(
        vocabulary,
        vocabulary.map((word) => Uint32Array.from(lists.get(word) ?? [])),
      )
    },
  }
}

function createWordIndex(vocabulary: readonly string[], lists: readonly Uint32Array[]): WordIndex {
  function firstFrom(word: string): number {
    let [low, high] = [0, vocabulary.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((vocabulary[middle] ?? '') < word) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    find(word, found) {
      const first = firstFrom(word)
      const isThere = vocabulary[first] === word
      if (isThere) visit(lists[first], 0, found)
      if (word.length < shortestPrefix) return
      for (let place = isThere ? first + 1 : first; place < vocabulary.length; place++) {
        if (vocabulary[place]?.startsWith(word) !== true) return
        visit(lists[place], 1, found) // a prefix counts half of the whole word
      }
    },
  }
}

function visit(
  list: Uint32Array | undefined,
  shift: 0 | 1,
  found: (row: number, weight: number) => void,
): void {
  if (list === undefined) return
  for (const entry of list) found(entry >>> weightBits, (entry & maxWeight) >> shift || 1)
}
