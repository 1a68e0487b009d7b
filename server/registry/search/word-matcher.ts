import type { WordIndex } from '../index/word-index.ts'
import type { Term } from './understand.ts'

/** From here on, a word stands in a name or a tag, not only in a text. */
const strongWeight = 0.5
/** How much of a wish is fulfilled by a text that has the word in neither. */
const inTextOnly = 0.85
/** The same for a rare word that is a name: whoever asks for a name does not ask for those who mention it. */
const nameInTextOnly = 0.55
const rareName = 3.5

/** Adds up how well each text fulfils the wishes for words, in arrays that all queries share. */
export function createWordMatcher(words: WordIndex) {
  const relevance = new Float32Array(words.textCount)
  const coverage = new Float32Array(words.textCount)
  const best = new Float32Array(words.textCount)
  const share = new Float32Array(words.textCount)
  const touched = new Uint32Array(words.textCount)

  /** Finds the best term of each text; returns how many texts have one. */
  function matchTerms(terms: readonly Term[]): number {
    let count = 0
    for (const { word, weight: ofTerm } of terms) {
      const rarity = words.rarity(word) * ofTerm
      const ofText = words.isName(word) && words.rarity(word) > rareName ? nameInTextOnly : inTextOnly
      words.find(word, (text, weight) => {
        if (share[text] === 0) touched[count++] = text
        const fulfilled = (weight >= strongWeight ? 1 : ofText) * (0.5 + ofTerm / 2)
        if (fulfilled > (share[text] ?? 0)) share[text] = fulfilled
        const value = rarity * weight
        if (value > (best[text] ?? 0)) best[text] = value
      })
    }
    return count
  }

  function forget(count: number): void {
    for (let place = 0; place < count; place++) {
      const text = touched[place] ?? 0
      share[text] = 0
      best[text] = 0
    }
  }

  return {
    relevance,
    coverage,
    clear(): void {
      relevance.fill(0)
      coverage.fill(0)
    },
    /** Whether one of the texts has one of the words. */
    isInAny: (texts: ReadonlySet<number>, terms: readonly Term[]): boolean =>
      terms.some(({ word }) => words.isInAny(texts, word)),
    /** Adds a wish that only words fulfil. */
    addWish(terms: readonly Term[], weight: number): void {
      const count = matchTerms(terms)
      for (let place = 0; place < count; place++) {
        const text = touched[place] ?? 0
        relevance[text] = (relevance[text] ?? 0) + (best[text] ?? 0)
        coverage[text] = (coverage[text] ?? 0) + weight * (share[text] ?? 0)
      }
      forget(count)
    },
    /** Adds to the relevance of texts that have the words, and writes into `strong` which have them in names or tags. */
    addHint(terms: readonly Term[], strong: Uint8Array, factor: number): void {
      strong.fill(0)
      const count = matchTerms(terms)
      for (let place = 0; place < count; place++) {
        const text = touched[place] ?? 0
        relevance[text] = (relevance[text] ?? 0) + (best[text] ?? 0) * factor
        strong[text] = share[text] === 1 ? 1 : 0
      }
      forget(count)
    },
  }
}
