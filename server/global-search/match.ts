/** How well a text fits a thing, the smallest number best; null: it does not. */
type Rank = 0 | 1 | 2 | 3 | null

/**
 * Returns what says how well a thing fits what somebody typed: 0 its id or its whole title, 1 the beginning of its title,
 * 2 the beginning of words, 3 parts of words. Every typed word has to be in the title or in one of the other texts.
 */
export function createRank(text: string) {
  const typed = text.trim().toLowerCase()
  const words = typed.split(/\s+/)
  return (title: string, others: readonly string[]): Rank => {
    const name = title.toLowerCase()
    const rest = others.map((other) => other.toLowerCase())
    if (name === typed || rest.includes(typed)) return 0
    if (name.startsWith(typed)) return 1
    const searched = ` ${[name, ...rest].join(' ')}`
    if (!words.every((word) => searched.includes(word))) return null
    return words.every((word) => beginsWord(searched, word)) ? 2 : 3
  }
}

const beginsWord = (searched: string, word: string): boolean => {
  for (let at = searched.indexOf(word); at !== -1; at = searched.indexOf(word, at + 1)) {
    if (/[\s\-_.:/]/.test(searched[at - 1] ?? ' ')) return true
  }
  return false
}

/** Something with names, and what is to be returned when it is among the best. */
export interface Candidate<Thing> {
  readonly title: string
  /** Its id, and what else people know it by. */
  readonly others: readonly string[]
  readonly thing: () => Thing
}

/** Returns the candidates that fit best, at most so many; equally good ones in the order of their titles. */
export function bestOf<Thing>(candidates: Iterable<Candidate<Thing>>, text: string, most: number): Thing[] {
  const rankOf = createRank(text)
  const fitting: { rank: number; candidate: Candidate<Thing> }[] = []
  for (const candidate of candidates) {
    const rank = rankOf(candidate.title, candidate.others)
    if (rank !== null) fitting.push({ rank, candidate })
  }
  return fitting
    .toSorted((one, other) => one.rank - other.rank || byTitle(one.candidate, other.candidate))
    .slice(0, most)
    .map(({ candidate }) => candidate.thing())
}

const byTitle = (one: Candidate<unknown>, other: Candidate<unknown>): number =>
  one.title < other.title ? -1 : one.title > other.title ? 1 : 0
