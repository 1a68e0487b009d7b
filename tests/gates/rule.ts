import type { SourceFile } from './source-file.ts'

/** Where a rule is broken, and by what. */
export interface Violation {
  file: string
  line: number
  what: string
}

/** A rule of the architecture over the whole tree. `reason` is what its author wants the reader to know. */
export interface Rule {
  name: string
  reason: string
  find(files: readonly SourceFile[]): Violation[]
}

/** One line for each violation: `server/a.ts:3 rule-name: what (why)`. */
export function violationsOf(rules: readonly Rule[], files: readonly SourceFile[]): string[] {
  return rules.flatMap((rule) => rule.find(files).map((place) => formatViolation(rule, place)))
}

const formatViolation = (rule: Rule, place: Violation): string =>
  `${place.file}:${place.line} ${rule.name}: ${place.what} (${rule.reason})`

/** Tests and what only they use: `test-support/` beside the code, `tests/support/` for what belongs to no folder. Scripts use `scripts/world/`. */
export const isTestFile = (path: string): boolean =>
  path.startsWith('tests/') || path.endsWith('.test.ts') || path.includes('/test-support/')
