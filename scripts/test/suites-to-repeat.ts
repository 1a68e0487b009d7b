import type { Suite } from './suites.ts'
import type { Tally } from './tally.ts'

export interface SuiteTally {
  readonly suite: Suite
  readonly tally: Tally
}

/** More than these are no accident, and repeating them would only take time. How many tests fail with the first says nothing. */
const mostSuites = 8

/** Returns the suites that failed, when they are so few that they are worth another run; otherwise none. */
export function suitesToRepeat(results: readonly SuiteTally[]): Suite[] {
  const failed = results.filter(({ tally }) => tally.failed > 0)
  return failed.length <= mostSuites ? failed.map(({ suite }) => suite) : []
}
