export interface ScoredEntry {
  readonly entry: number
  readonly score: number
}

/**
 * Returns one page of the matches, the best first and equal scores in the order given. A counting sort of the scores
 * finds the matches of the page without sorting all of them.
 */
export function selectPage(
  matches: Uint32Array,
  scores: Uint16Array,
  total: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): ScoredEntry[] {
  const last = Math.min(total, offset + limit)
  if (last <= offset) return []
  const startOf = firstPlaces(scores, total)
  const page: ScoredEntry[] = Array.from({ length: last - offset })
  for (let place = 0; place < total; place++) {
    const score = scores[place] ?? 0
    const rank = startOf[score] ?? 0
    startOf[score] = rank + 1
    if (rank >= offset && rank < last) page[rank - offset] = { entry: matches[place] ?? 0, score }
  }
  return page
}

/** Returns, for each score, the rank of the first match that has it. */
function firstPlaces(scores: Uint16Array, total: number): Uint32Array {
  let highest = 0
  for (let place = 0; place < total; place++) highest = Math.max(highest, scores[place] ?? 0)
  const counts = new Uint32Array(highest + 1)
  for (let place = 0; place < total; place++)
    counts[scores[place] ?? 0] = (counts[scores[place] ?? 0] ?? 0) + 1
  let before = 0
  for (let score = highest; score >= 0; score--) {
    const count = counts[score] ?? 0
    counts[score] = before
    before += count
  }
  return counts
}
