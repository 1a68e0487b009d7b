/** How well a text fits a thing, the smallest number best; null: it does not. */
type Rank = 0 | 1 | 2 | 3 | null

/** The names of a thing as they are compared: of many things, making them takes longer than comparing. */
interface ComparedNames {
  readonly title: string
  readonly others: readonly string[]
  readonly all: string
}

const comparedNames = (title: string, others: readonly string[]): ComparedNames => {
  const [name = '', ...rest] = [title, ...others].map((text) => text.toLowerCase())
  return { title: name, others: rest, all: ` ${[name, ...rest].join(' ')}` }
}

/**
 * Returns what says how well a thing fits what somebody typed: 0 its id or its whole title, 1 the beginning of its title,
 * 2 the beginning of words, 3 parts of words. Every typed word has to be in the title or in one of the other texts.
 */
export function createRank(text: string) {
  const rank = rankFor(text)
  return (title: string, others: readonly string[]): Rank => rank(comparedNames(title, others))
}

function rankFor(text: string) {
  const typed = text.trim().toLowerCase()
  const words = typed.split(/\s+/)
  return ({ title, others, all }: ComparedNames): Rank => {
    if (!words.every((word) => all.includes(word))) return null
    if (title === typed || others.includes(typed)) return 0
    if (title.startsWith(typed)) return 1
    return words.every((word) => beginsWord(all, word)) ? 2 : 3
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

/** A candidate that is looked at again and again. */
export interface PreparedCandidate<Thing> extends Candidate<Thing> {
  readonly compared: ComparedNames
}

export const prepared = <Thing>(candidate: Candidate<Thing>): PreparedCandidate<Thing> => ({
  ...candidate,
  compared: comparedNames(candidate.title, candidate.others),
})

/** Returns the candidates that fit best, at most so many; equally good ones in the order of their titles. */
export function bestOf<Thing>(
  candidates: Iterable<Candidate<Thing> | PreparedCandidate<Thing>>,
  text: string,
  most: number,
): Thing[] {
  const rankOf = rankFor(text)
  // To sort all that fit would take far longer than to find them: one letter fits nearly everything.
  const best: Fitting<Thing>[] = []
  for (const candidate of candidates) {
    const { title, others } = candidate
    const rank = rankOf('compared' in candidate ? candidate.compared : comparedNames(title, others))
    if (rank === null) continue
    const fitting = { rank, candidate }
    const place = best.findLastIndex((other) => inOrder(other, fitting) <= 0) + 1
    if (place === most) continue
    best.splice(place, 0, fitting)
    if (best.length > most) best.pop()
  }
  return best.map(({ candidate }) => candidate.thing())
}

interface Fitting<Thing> {
  readonly rank: number
  readonly candidate: Candidate<Thing>
}

const inOrder = (one: Fitting<unknown>, other: Fitting<unknown>): number =>
  one.rank - other.rank || byTitle(one.candidate, other.candidate)

const byTitle = (one: Candidate<unknown>, other: Candidate<unknown>): number =>
  one.title < other.title ? -1 : one.title > other.title ? 1 : 0
