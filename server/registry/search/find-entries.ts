import type { RegistryIndex } from '../index/registry-index.ts'
import { wordsOf } from '../index/words.ts'
import type { Condition } from './parse-filters.ts'
import { createRowMatcher } from './row-matcher.ts'
import { type ScoredEntry, selectPage } from './select-page.ts'

/** A validated query, whose network, category and columns exist. */
export interface EntryQuery {
  /** Distinct words; with none of them, every entry matches. */
  readonly words: readonly string[]
  /** Index into the snapshot's networks; null for any. */
  readonly network: number | null
  /** Index into the categories; null for any. */
  readonly category: number | null
  readonly conditions: readonly Condition[]
  /** Null when health is not filtered. */
  readonly isHealthy: ((entry: number) => boolean) | null
  readonly limit: number
  readonly offset: number
}

export interface FoundEntries {
  readonly page: readonly ScoredEntry[]
  readonly total: number
  /** How many words of the query each match has. */
  readonly wordsFound: number
}

const networkWeight = 8

/**
 * Finds the entries that meet all conditions and have the largest number of the query's words; entries with fewer words
 * are not results, and entries with none never are. Results are ranked by the weights of the words in their rows.
 */
export type FindEntries = (query: EntryQuery) => FoundEntries

export function createFindEntries(index: RegistryIndex, networkNames: readonly string[]): FindEntries {
  const { rowOfEntry, networkOfEntry, categoryOfRow, starred, entriesOfNetwork } = index
  const everyEntry = Uint32Array.from({ length: index.entryCount }, (_, entry) => entry)
  const wordsOfNetworks = index.snapshot.networks.map(
    (key, place) => new Set(wordsOf(`${key} ${networkNames[place] ?? ''}`)),
  )
  const matcher = createRowMatcher(index)
  // These arrays are reused, because queries run one after the other and allocating them costs more than a query.
  const matches = new Uint32Array(index.entryCount)
  const scores = new Uint16Array(index.entryCount)

  /** Returns for each network a bit for each word that is part of its name, or null when no word is. */
  function matchNetworks(words: readonly string[]): Uint16Array | null {
    if (!words.some((word) => wordsOfNetworks.some((own) => own.has(word)))) return null
    return Uint16Array.from(wordsOfNetworks, (own) =>
      words.reduce((bits, word, place) => (own.has(word) ? bits | (1 << place) : bits), 0),
    )
  }

  // Index loops without allocation: this runs over every row of the registry.
  return (query) => {
    const { words, network, category, conditions, isHealthy, limit, offset } = query
    matcher.matchWords(words, starred)
    matcher.conditions(conditions)
    const conditionCount = conditions.length
    const bitsOfNetwork = matchNetworks(words)
    const entries = network === null ? everyEntry : (entriesOfNetwork[network] ?? new Uint32Array(0))
    let total = 0
    let most = words.length === 0 ? 0 : 1
    for (let place = 0; place < entries.length; place++) {
      const entry = entries[place] ?? 0
      const row = rowOfEntry[entry] ?? 0
      if (category !== null && categoryOfRow[row] !== category) continue
      if (conditionCount > 0 && matcher.met[row] !== conditionCount) continue
      const ofNetwork = bitsOfNetwork === null ? 0 : (bitsOfNetwork[networkOfEntry[entry] ?? 0] ?? 0)
      const count =
        ofNetwork === 0 ? (matcher.wordCount[row] ?? 0) : bitCount((matcher.wordBits[row] ?? 0) | ofNetwork)
      if (count < most || (isHealthy !== null && !isHealthy(entry))) continue
      if (count > most) {
        most = count
        total = 0
      }
      matches[total] = entry
      scores[total] = (matcher.score[row] ?? 0) + (ofNetwork === 0 ? 0 : bitCount(ofNetwork) * networkWeight)
      total++
    }
    return { page: selectPage(matches, scores, total, { limit, offset }), total, wordsFound: most }
  }
}

/** Returns the number of bits that are set in a number below 2^16. */
function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
