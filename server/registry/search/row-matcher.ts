import type { RegistryIndex } from '../index/registry-index.ts'
import type { Condition } from './parse-filters.ts'

/** Matches rows against the words and conditions of one query at a time, in arrays that all queries share. */
export function createRowMatcher({
  rows,
  words: wordIndex,
  values,
}: Pick<RegistryIndex, 'rows' | 'words' | 'values'>) {
  const wordBits = new Uint16Array(rows.length)
  const wordCount = new Uint8Array(rows.length)
  const score = new Uint16Array(rows.length)
  const met = new Uint8Array(rows.length)

  function markNumbers(
    column: string,
    isInside: (value: number) => boolean,
    mark: (row: number) => void,
  ): void {
    const numbers = values.numbers(column)
    if (numbers === undefined) return
    for (let row = 0; row < numbers.length; row++) {
      if (isInside(numbers[row] ?? Number.NaN)) mark(row)
    }
  }

  return {
    /** For each row, a bit for each word of the query that it has. */
    wordBits,
    wordCount,
    score,
    /** For each row, how many conditions it meets, counted from the first until one is not met. */
    met,

    /** Matches at most 16 words. The score of each row begins with its value in `first`. */
    matchWords(words: readonly string[], first: Uint8Array): void {
      wordBits.fill(0)
      wordCount.fill(0)
      score.set(first)
      for (const [place, word] of words.entries()) {
        const bit = 1 << place
        wordIndex.find(word, (row, weight) => {
          const known = wordBits[row] ?? 0
          if ((known & bit) !== 0) return
          wordBits[row] = known | bit
          wordCount[row] = (wordCount[row] ?? 0) + 1
          score[row] = (score[row] ?? 0) + weight
        })
      }
    },

    conditions(conditions: readonly Condition[]): void {
      met.fill(0)
      for (const [place, condition] of conditions.entries()) {
        // A row advances only when it has met all conditions before, and only once for the same condition.
        const mark = (row: number): void => {
          if (met[row] === place) met[row] = place + 1
        }
        if (condition.kind === 'between') {
          const { column, min, max } = condition
          markNumbers(column, (value) => value >= min && value <= max, mark)
          continue
        }
        for (const value of condition.values) {
          for (const row of values.rowsWith(condition.column, value)) mark(row)
        }
      }
    },
  }
}
