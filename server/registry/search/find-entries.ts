import type { RowIndex } from '../index/row-index.ts'
import { wordsOf } from '../index/words.ts'
import type { Condition } from './filters.ts'
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
  const { rows, rowOfEntry, networkOfEntry, categoryOfRow, starred, entriesOfNetwork } = index
  const everyEntry = Uint32Array.from({ length: index.entryCount }, (_, entry) => entry)
  const wordsOfNetworks = index.snapshot.networks.map(
    (key, place) => new Set(wordsOf(`${key} ${networkNames[place] ?? ''}`)),
  )
  // Kept between questions, which are answered one after the other: making them anew costs more than an answer.
  const wordsOfRow = new Uint16Array(rows.length)
  const wordCountOfRow = new Uint8Array(rows.length)
  const scoreOfRow = new Uint16Array(rows.length)
  const metByRow = new Uint8Array(rows.length)
  const matches = new Uint32Array(index.entryCount)
  const scores = new Uint16Array(index.entryCount)

  function markWords(words: readonly string[]): void {
    wordsOfRow.fill(0)
    wordCountOfRow.fill(0)
    scoreOfRow.set(starred)
    for (const [place, word] of words.entries()) {
      const bit = 1 << place
      index.words.find(word, (row, weight) => {
        const known = wordsOfRow[row] ?? 0
        if ((known & bit) !== 0) return
        wordsOfRow[row] = known | bit
        wordCountOfRow[row] = (wordCountOfRow[row] ?? 0) + 1
        scoreOfRow[row] = (scoreOfRow[row] ?? 0) + weight
      })
    }
  }

  /** Which of the words name each network. */
  const markNetworks = (words: readonly string[]): number[] =>
    wordsOfNetworks.map((own) =>
      words.reduce((bits, word, place) => (own.has(word) ? bits | (1 << place) : bits), 0),
    )

  function markConditions(conditions: readonly Condition[]): void {
    metByRow.fill(0)
    for (const [place, condition] of conditions.entries()) {
      // A row counts on only while it has met all conditions before; one that met this one already is not met twice.
      const meet = (row: number): void => {
        if (metByRow[row] === place) metByRow[row] = place + 1
      }
      if (condition.kind === 'any') {
        for (const value of condition.values)
          for (const row of index.values.rowsWith(condition.column, value)) meet(row)
        continue
      }
      const numbers = index.values.numbers(condition.column)
      if (numbers === undefined) return
      for (let row = 0; row < numbers.length; row++) {
        const value = numbers[row] ?? Number.NaN
        if (value >= condition.min && value <= condition.max) meet(row)
      }
    }
  }

  return ({ words, network, category, conditions, isHealthy, limit, offset }) => {
    markWords(words)
    markConditions(conditions)
    const bitsOfNetwork = markNetworks(words)
    const candidates = network === null ? everyEntry : (entriesOfNetwork[network] ?? new Uint32Array(0))
    let total = 0
    let most = words.length === 0 ? 0 : 1
    for (const entry of candidates) {
      const row = rowOfEntry[entry] ?? 0
      if (category !== null && categoryOfRow[row] !== category) continue
      if ((metByRow[row] ?? 0) < conditions.length) continue
      const ofNetwork = bitsOfNetwork[networkOfEntry[entry] ?? 0] ?? 0
      const count =
        ofNetwork === 0 ? (wordCountOfRow[row] ?? 0) : bitCount((wordsOfRow[row] ?? 0) | ofNetwork)
      if (count < most || (isHealthy !== null && !isHealthy(entry))) continue
      if (count > most) {
        most = count
        total = 0
      }
      matches[total] = entry
      scores[total] = (scoreOfRow[row] ?? 0) + bitCount(ofNetwork) * networkWeight
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
