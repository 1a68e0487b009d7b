import type { RowIndex } from '../index/row-index.ts'
import { wordsOf } from '../index/words.ts'
import type { Condition } from './filters.ts'
import { createRowMarks } from './row-marks.ts'
import { selectPage } from './select-page.ts'
import type { ScoredEntry } from './select-page.ts'

/** A question whose names are known to exist. */
export interface EntryQuestion {
  /** Distinct; none: everything is found. */
  readonly words: readonly string[]
  /** Place in the snapshot's networks; null: any. */
  readonly network: number | null
  /** Place in the index's categories; null: any. */
  readonly category: number | null
  readonly conditions: readonly Condition[]
  /** Null: any. */
  readonly isHealthy: ((entry: number) => boolean) | null
  readonly limit: number
  readonly offset: number
}

export interface FoundEntries {
  readonly page: readonly ScoredEntry[]
  readonly total: number
  /** How many of the question's words every match has. */
  readonly wordsFound: number
}

const networkWeight = 8

/**
 * Finds the entries that meet all conditions and have the most of the words. An entry with none of them is never found;
 * when some entry has all of them, those with fewer are not. Ranked by what the words say about the row.
 */
export type FindEntries = (question: EntryQuestion) => FoundEntries

export function createFindEntries(index: RowIndex, networkNames: readonly string[]): FindEntries {
  const { rowOfEntry, networkOfEntry, categoryOfRow, starred, entriesOfNetwork } = index
  const everyEntry = Uint32Array.from({ length: index.entryCount }, (_, entry) => entry)
  const wordsOfNetworks = index.snapshot.networks.map(
    (key, place) => new Set(wordsOf(`${key} ${networkNames[place] ?? ''}`)),
  )
  const marks = createRowMarks(index)
  // Kept between questions, which are answered one after the other: making them anew costs more than an answer.
  const matches = new Uint32Array(index.entryCount)
  const scores = new Uint16Array(index.entryCount)

  /** Which of the words name each network; null: none does. */
  function markNetworks(words: readonly string[]): Uint16Array | null {
    if (!words.some((word) => wordsOfNetworks.some((own) => own.has(word)))) return null
    return Uint16Array.from(wordsOfNetworks, (own) =>
      words.reduce((bits, word, place) => (own.has(word) ? bits | (1 << place) : bits), 0),
    )
  }

  // Index loops without allocation: this runs over every row of the registry.
  return (question) => {
    const { words, network, category, conditions, isHealthy, limit, offset } = question
    marks.words(words, starred)
    marks.conditions(conditions)
    const conditionCount = conditions.length
    const bitsOfNetwork = markNetworks(words)
    const entries = network === null ? everyEntry : (entriesOfNetwork[network] ?? new Uint32Array(0))
    let total = 0
    let most = words.length === 0 ? 0 : 1
    for (let place = 0; place < entries.length; place++) {
      const entry = entries[place] ?? 0
      const row = rowOfEntry[entry] ?? 0
      if (category !== null && categoryOfRow[row] !== category) continue
      if (conditionCount > 0 && marks.met[row] !== conditionCount) continue
      const ofNetwork = bitsOfNetwork === null ? 0 : (bitsOfNetwork[networkOfEntry[entry] ?? 0] ?? 0)
      const count =
        ofNetwork === 0 ? (marks.wordCount[row] ?? 0) : bitCount((marks.wordBits[row] ?? 0) | ofNetwork)
      if (count < most || (isHealthy !== null && !isHealthy(entry))) continue
      if (count > most) {
        most = count
        total = 0
      }
      matches[total] = entry
      scores[total] = (marks.score[row] ?? 0) + (ofNetwork === 0 ? 0 : bitCount(ofNetwork) * networkWeight)
      total++
    }
    return { page: selectPage(matches, scores, total, { limit, offset }), total, wordsFound: most }
  }
}

/** Of a number below 2^16. */
function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
