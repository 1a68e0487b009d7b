/** Finds the word that a misspelt one was meant to be. */
export type FindClosest = (word: string) => string | null

const shortest = 5
const longWord = 8
const maxRemembered = 2_000

/** `words`: the right spellings, the commonest first. Words with few letters must differ in one only, and start alike. */
export function createFindClosest(words: readonly string[]): FindClosest {
  const known = words
    .filter((word) => word.length >= shortest && !/\d/.test(word))
    .map((word) => ({ word, letters: lettersOf(word) }))
  const remembered = new Map<string, string | null>()

  function search(word: string): string | null {
    const most = word.length >= longWord ? 2 : 1
    const letters = lettersOf(word)
    let best: string | null = null
    let fewest = most + 1
    for (const { word: other, letters: own } of known) {
      if (Math.abs(other.length - word.length) >= fewest) continue
      if (bitCount(letters ^ own) > 2 * (fewest - 1)) continue
      if (other[0] !== word[0] && (word.length < longWord || other[1] !== word[1])) continue
      const distance = distanceOf(word, other, fewest)
      if (distance >= fewest) continue
      fewest = distance
      best = other
      if (distance === 1) break
    }
    return best
  }

  return (word) => {
    if (word.length < shortest || !/^[a-z]+$/.test(word)) return null
    const found = remembered.get(word)
    if (found !== undefined) return found
    if (remembered.size >= maxRemembered) remembered.clear()
    const closest = search(word)
    remembered.set(word, closest)
    return closest
  }
}

/** The letters of a word, a bit for each. */
function lettersOf(word: string): number {
  let bits = 0
  for (let place = 0; place < word.length; place++) bits |= 1 << (word.charCodeAt(place) % 31)
  return bits
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Counts letters to add, leave out, replace, or swap with the next one; stops counting at `limit`. */
function distanceOf(one: string, other: string, limit: number): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let lowest = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      current.push(cost)
      lowest = Math.min(lowest, cost)
    }
    if (lowest >= limit) return limit
    before = last
    last = current
  }
  return last[other.length] ?? limit
}
