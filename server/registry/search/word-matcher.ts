import type { WordIndex } from '../index/word-index.ts'
import type { Term } from './understand.ts'

/** From here on, a word stands in a name or a tag, not only in a text. */
const strongWeight = 0.5
/** How much of a wish is fulfilled by a listing whose text alone has the word. */
const inTextOnly = 0.85
/** The same for a rare word that is a name: whoever asks for a name does not ask for those who mention it. */
const nameInTextOnly = 0.55
const rareName = 3.5

/** Adds up how well each listing fulfils the wishes for words, in arrays that all queries share. */
export function createWordMatcher(words: WordIndex) {
  const relevance = new Float32Array(words.listingCount)
  const coverage = new Float32Array(words.listingCount)
  const best = new Float32Array(words.listingCount)
  const share = new Float32Array(words.listingCount)
  const touched = new Uint32Array(words.listingCount)

  /** Finds the best term of each listing; returns how many listings have one. */
  function matchTerms(terms: readonly Term[]): number {
    let count = 0
    for (const { word, weight: ofTerm } of terms) {
      const rarity = words.rarity(word) * ofTerm
      const ofText = words.isName(word) && words.rarity(word) > rareName ? nameInTextOnly : inTextOnly
      words.find(word, (listing, weight) => {
        if (share[listing] === 0) touched[count++] = listing
        const fulfilled = (weight >= strongWeight ? 1 : ofText) * (0.5 + ofTerm / 2)
        if (fulfilled > (share[listing] ?? 0)) share[listing] = fulfilled
        const value = rarity * weight
        if (value > (best[listing] ?? 0)) best[listing] = value
      })
    }
    return count
  }

  function forget(count: number): void {
    for (let place = 0; place < count; place++) {
      const listing = touched[place] ?? 0
      share[listing] = 0
      best[listing] = 0
    }
  }

  return {
    relevance,
    coverage,
    clear(): void {
      relevance.fill(0)
      coverage.fill(0)
    },
    /** Adds a wish that only words fulfil. */
    addWish(terms: readonly Term[], weight: number): void {
      const count = matchTerms(terms)
      for (let place = 0; place < count; place++) {
        const listing = touched[place] ?? 0
        relevance[listing] = (relevance[listing] ?? 0) + (best[listing] ?? 0)
        coverage[listing] = (coverage[listing] ?? 0) + weight * (share[listing] ?? 0)
      }
      forget(count)
    },
    /** Adds to the relevance of listings that have the words, and writes into `strong` which have them in names or tags. */
    addHint(terms: readonly Term[], strong: Uint8Array, factor: number): void {
      strong.fill(0)
      const count = matchTerms(terms)
      for (let place = 0; place < count; place++) {
        const listing = touched[place] ?? 0
        relevance[listing] = (relevance[listing] ?? 0) + (best[listing] ?? 0) * factor
        strong[listing] = share[listing] === 1 ? 1 : 0
      }
      forget(count)
    },
  }
}
