import type { RowIndex } from '../index/row-index.ts'
import type { Condition } from './filters.ts'

/** What the question of the moment says about each row. The arrays are the same for every question. */
export function createRowMarks({
  rows,
  words: wordIndex,
  values,
}: Pick<RowIndex, 'rows' | 'words' | 'values'>) {
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
    /** Which of the words each row has, as bits. */
    wordBits,
    wordCount,
    score,
    /** How many conditions each row meets, one after the other. */
    met,

    /** At most 16; scores begin with what is given. */
    words(words: readonly string[], first: Uint8Array): void {
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
        // A row counts on only while it has met all conditions before; one that met this one already is not met twice.
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
