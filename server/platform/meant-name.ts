import { closestMatch } from 'leven'

/** Letters: as many are wrong where two have changed places. */
const mostWrong = 2

/** Returns the one of the names that was mistyped, as far as that can be guessed; undefined where none is near. */
export const meantName = (typed: string, names: readonly string[]): string | undefined =>
  closestMatch(typed, names, { maxDistance: mostWrong })
