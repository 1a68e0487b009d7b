import type { TextWords } from './row-words.ts'

/** An inverted index: from words to the texts that have them, with the weight of the word in each. */
export interface WordIndex {
  readonly textCount: number
  /** Whether any text has the word. */
  has(word: string): boolean
  /** Whether the word is part of the name of a service or provider. */
  isName(word: string): boolean
  /** Every word that is part of a name. */
  readonly names: readonly string[]
  /** Returns the words that begin so, the shortest first, at most `most`. */
  startingWith(beginning: string, most: number): string[]
  /** Returns how rare a word is: 0 if every service has it. */
  rarity(word: string): number
  /** Whether one of the texts has the word. */
  isInAny(texts: ReadonlySet<number>, word: string): boolean
  /** Calls `found` for each text that has the word, with its weight from 0 to 1. */
  find(word: string, found: (text: number, weight: number) => void): void
}

const weightBits = 8
const maxWeight = 255

export function createWordIndexBuilder() {
  const lists = new Map<string, number[]>()
  const names = new Set<string>()
  let textCount = 0

  return {
    /** Adds the next text. */
    add(words: TextWords, namesOfText: ReadonlySet<string>): void {
      for (const [word, weight] of words) {
        const packed = (textCount << weightBits) | Math.max(1, Math.round(weight * maxWeight))
        const list = lists.get(word)
        if (list) list.push(packed)
        else lists.set(word, [packed])
      }
      for (const name of namesOfText) names.add(name)
      textCount++
    },
    /** `serviceOf` has the service of each text: what many rows of one service have is not common. */
    build(serviceOf: Uint32Array, serviceCount: number): WordIndex {
      const vocabulary = [...lists.keys()].toSorted()
      const postings = new Map(vocabulary.map((word) => [word, Uint32Array.from(lists.get(word) ?? [])]))
      return createWordIndex({ vocabulary, postings, names, serviceOf, serviceCount, textCount })
    },
  }
}

interface Parts {
  readonly vocabulary: readonly string[]
  readonly postings: ReadonlyMap<string, Uint32Array>
  readonly names: ReadonlySet<string>
  readonly serviceOf: Uint32Array
  readonly serviceCount: number
  readonly textCount: number
}

function createWordIndex({
  vocabulary,
  postings,
  names,
  serviceOf,
  serviceCount,
  textCount,
}: Parts): WordIndex {
  const rarities = new Map<string, number>()
  const seen = new Uint32Array(serviceCount)
  let round = 0
  for (const [word, list] of postings) {
    round++
    let services = 0
    for (const packed of list) {
      const service = serviceOf[packed >>> weightBits] ?? 0
      if (seen[service] === round) continue
      seen[service] = round
      services++
    }
    rarities.set(word, Math.log(1 + (serviceCount - services + 0.5) / (services + 0.5)))
  }

  return {
    textCount,
    has: (word) => postings.has(word),
    isName: (word) => names.has(word),
    names: [...names],
    startingWith(beginning, most) {
      const found: string[] = []
      for (
        let place = firstFrom(vocabulary, beginning);
        vocabulary[place]?.startsWith(beginning) === true;
        place++
      ) {
        found.push(vocabulary[place] ?? '')
      }
      return found.toSorted((one, other) => one.length - other.length).slice(0, most)
    },
    rarity: (word) => rarities.get(word) ?? 0,
    isInAny: (texts, word) => postings.get(word)?.some((packed) => texts.has(packed >>> weightBits)) ?? false,
    find(word, found) {
      const list = postings.get(word)
      if (list === undefined) return
      for (const packed of list) found(packed >>> weightBits, (packed & maxWeight) / maxWeight)
    },
  }
}

function firstFrom(vocabulary: readonly string[], text: string): number {
  let [low, high] = [0, vocabulary.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((vocabulary[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}
