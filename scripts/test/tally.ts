import { resolve } from 'node:path'

/** What a suite, or all of them, came to. `failures` names each failure once. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
  failures: string[]
}

export const emptyTally = (): Tally => ({ passed: 0, failed: 0, skipped: 0, failures: [] })

export const failedTally = (failure: string): Tally => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [failure],
})

export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally()
  for (const tally of tallies) {
    sum.passed += tally.passed
    sum.failed += tally.failed
    sum.skipped += tally.skipped
    sum.failures.push(...tally.failures)
  }
  return sum
}

/** The closing line of `npm test`. */
export const formatTally = (tally: Tally): string =>
  `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`

export interface FinishedProcess {
  files: readonly string[]
  /** JUnit report of the process; null when it died before it could write one. */
  junit: string | null
  exitCode: number | null
}

/**
 * Counts from bun's JUnit report. Bun leaves out of it a file that cannot be loaded or that ends the process, and prints
 * each failure twice on the console: so every requested file must appear in the report, and the console is not counted.
 */
export function tallyProcess(finished: FinishedProcess): Tally {
  if (finished.junit === null) {
    return failedTally(
      `${finished.files.join(', ')}: the process ended without a report (exit code ${finished.exitCode})`,
    )
  }
  const { tally, reportedFiles } = readReport(finished.junit)
  const silentFiles = finished.files.filter((file) => !reportedFiles.has(resolve(file)))
  const silent = silentFiles.map((file) => failedTally(`${file}: did not load, or holds no test`))
  const sum = addTallies([tally, ...silent])
  if (finished.exitCode !== 0 && sum.failed === 0) {
    return addTallies([
      sum,
      failedTally(`bun test ended with exit code ${finished.exitCode} outside of a test`),
    ])
  }
  return sum
}

/** How long a test file took. */
export interface FileTime {
  file: string
  seconds: number
}

const testSuite = /<testsuite\s([^>]*)>/g

/** The times of all files in bun's JUnit report. Groups within a file are suites of the same file there. */
export function readTimes(junit: string): FileTime[] {
  const times = new Map<string, number>()
  for (const [, attributes = ''] of junit.matchAll(testSuite)) {
    const file = readAttribute(attributes, 'file')
    times.set(file, Math.max(times.get(file) ?? 0, Number(readAttribute(attributes, 'time'))))
  }
  return [...times].map(([file, seconds]) => ({ file, seconds }))
}

/** The `count` files that took longest, the slowest first. */
export const slowestFiles = (times: readonly FileTime[], count: number): FileTime[] =>
  times.toSorted((one, other) => other.seconds - one.seconds).slice(0, count)

const testCase = /<testcase\s([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g

function readReport(junit: string): { tally: Tally; reportedFiles: Set<string> } {
  const tally = emptyTally()
  const reportedFiles = new Set<string>()
  for (const [, attributes = '', body = ''] of junit.matchAll(testCase)) {
    const file = readAttribute(attributes, 'file')
    reportedFiles.add(resolve(file))
    if (/<(failure|error)\b/.test(body)) {
      tally.failed += 1
      tally.failures.push(`${file}: ${titleOf(attributes)}`)
    } else if (body.includes('<skipped')) {
      tally.skipped += 1
    } else {
      tally.passed += 1
    }
  }
  return { tally, reportedFiles }
}

function titleOf(attributes: string): string {
  const group = readAttribute(attributes, 'classname')
  const name = readAttribute(attributes, 'name')
  return group === '' ? name : `${group} > ${name}`
}

function readAttribute(attributes: string, name: string): string {
  const match = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)
  return unescapeXml(match?.[1] ?? '')
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) => {
    if (code !== undefined) return String.fromCodePoint(Number(code))
    return entities[name ?? ''] ?? whole
  })
}
