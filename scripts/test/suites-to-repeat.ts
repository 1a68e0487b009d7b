import type { Suite } from './suites.ts'
import type { Tally } from './tally.ts'

export interface SuiteTally {
  readonly suite: Suite
  readonly tally: Tally
}

/** More failures than these are no accident, and repeating them would only take time. */
const mostSuites = 3
const mostFailures = 5

/** Returns the suites that failed, when they are so few that they are worth another run; otherwise none. */
export function suitesToRepeat(results: readonly SuiteTally[]): Suite[] {
  const failed = results.filter(({ tally }) => tally.failed > 0)
  const failures = failed.reduce((sum, { tally }) => sum + tally.failed, 0)
  return failed.length <= mostSuites && failures <= mostFailures ? failed.map(({ suite }) => suite) : []
}
