/**
 * `npm test`: format, lint and types first, then every test; `npm test -- <pattern> …` runs only the test files whose
 * path holds a pattern. Ends with `N passed, N failed, N skipped` alone on the last line of stdout.
 */
import { randomInt } from 'node:crypto'

import { type Check, runChecks, staticChecks } from './check/checks.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'
import { runPool } from './test/run-pool.ts'
import { startSuite, type SuiteRun } from './test/run-suite.ts'
import { makeSharedWorld, sharedParts, type SharedWorld } from './test/shared-world.ts'
import { areProcessorsSpare, busySlots } from './test/spare-processors.ts'
import { planSuites, selectFiles, type Sharing, type Suite } from './test/suites.ts'
import { type SuiteTally, suitesToRepeat } from './test/suites-to-repeat.ts'
import {
  addTallies,
  failedTally,
  type FileTime,
  formatTally,
  slowestFiles,
  type Tally,
} from './test/tally.ts'

/** Exit codes by which a shell knows that a program was stopped. */
const signals = { SIGINT: 130, SIGTERM: 143 } as const

const help = `Checks format, lint and types, and runs every test.

  npm test                     everything; what needs a Debian package that is missing is skipped, and says so
  npm test -- limits           only the test files whose path holds this text, or one of several, without the checks

GATEHOUSE_TEST_SEED repeats the random values of an earlier run, whose first line says what they began with.
`

const running = new Set<SuiteRun>()
const times: FileTime[] = []
/** Failures that were none when their suites ran alone. */
const unsure: string[] = []
let stoppedWith: number | undefined

const startedAt = performance.now()
const { positionals: patterns } = readScriptArguments({ name: 'test', help }, { allowPositionals: true })
const total = addTallies(await checkAndTestEverything())
printClosing(total)
process.exit(stoppedWith ?? (total.failed > 0 || total.passed === 0 ? 1 : 0))

async function checkAndTestEverything(): Promise<Tally[]> {
  const suites = await planAll()
  if (suites.length === 0) {
    print(`No test file matches ${patterns.join(' ')}.`)
    return []
  }
  const seed = process.env.GATEHOUSE_TEST_SEED ?? String(randomInt(2 ** 31))
  print(`fast-check seed ${seed} (GATEHOUSE_TEST_SEED=${seed} repeats this run)`)
  stopOnSignals()
  const startsPrograms = suites.some((suite) => suite.startsPrograms)
  const world = await makeSharedWorld(sharedParts.filter((part) => startsPrograms || !part.isForPrograms))
  const unmade = world.failures.map(tallyUnmade)
  const env = { ...process.env, GATEHOUSE_TEST_SEED: seed, ...world.environment }
  const checks = patterns.length === 0 ? staticChecks : []
  const failedChecks: Tally[] = []
  const results: SuiteTally[] = []
  const run = async (item: Check | Suite): Promise<void> => {
    if (stoppedWith !== undefined) return
    if ('command' in item) failedChecks.push(...(await runCheck(item)))
    else results.push({ suite: item, tally: await runSuite(item, env) })
  }
  const sharing = (kind: Sharing): Suite[] => suites.filter((suite) => suite.sharing === kind)
  await Promise.all([
    runPool([...checks, ...sharing('busy')], busySlots, run, areProcessorsSpare),
    runPool(sharing('waiting'), 1, run),
  ])
  await runPool(sharing('alone'), 1, run)
  const settled = await repeatFew(results, env)
  await world.stop()
  return [...unmade, ...failedChecks, ...settled]
}

/** A failing check counts as a failing test, so that the closing line and the exit code agree. */
async function runCheck(check: Check): Promise<Tally[]> {
  return (await runChecks([check])).map((name) => failedTally(`check ${name}`))
}

/** A part that could not be made fails the run, and the test files do without it: they are slower, and say more. */
function tallyUnmade({ name, error }: SharedWorld['failures'][number]): Tally {
  print(`\nNot made: ${name}: ${Bun.inspect(error)}`)
  return failedTally(`making of ${name}`)
}

async function planAll(): Promise<Suite[]> {
  const paths = selectFiles(findTestFiles(), patterns)
  return planSuites(
    await Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(path).text() }))),
  )
}

function findTestFiles(): string[] {
  return [...new Bun.Glob('{server,shared,console,scripts,tests}/**/*.test.ts').scanSync('.')]
}

/**
 * A few failures of a whole run may be the machine's, on which much ran at once: their suites run once more, each alone.
 * What fails again has failed; what does not is named in the closing lines, because it is a fault of the test at least.
 */
async function repeatFew(
  results: readonly SuiteTally[],
  env: Record<string, string | undefined>,
): Promise<Tally[]> {
  const repeated = new Set(patterns.length === 0 && stoppedWith === undefined ? suitesToRepeat(results) : [])
  const settled: Tally[] = []
  for (const { suite, tally } of results) {
    if (!repeated.has(suite)) {
      settled.push(tally)
      continue
    }
    print(`\nRuns once more, alone: ${suite.name}`)
    const again = await runSuite(suite, env)
    settled.push(again)
    if (again.failed === 0) unsure.push(...tally.failures)
  }
  return settled
}

async function runSuite(suite: Suite, env: Record<string, string | undefined>): Promise<Tally> {
  const suiteStartedAt = performance.now()
  const run = startSuite(suite, env)
  running.add(run)
  const result = await run.result
  running.delete(run)
  times.push(...result.times)
  const isFine = result.tally.failed === 0
  if (!isFine) print(`\n${result.output.trimEnd()}`)
  print(
    `${isFine ? 'ok    ' : 'FAILED'}  ${suite.name}: ${formatTally(result.tally)} in ${secondsSince(suiteStartedAt)}, ${result.processorSeconds.toFixed(1)} s of processor`,
  )
  return result.tally
}

function printClosing(tally: Tally): void {
  if (tally.failures.length > 0) {
    print(`\nFailed:\n${tally.failures.map((failure) => `  ${failure}`).join('\n')}`)
  }
  if (unsure.length > 0) {
    print(`\nFailed beside others, and not alone:\n${unsure.map((failure) => `  ${failure}`).join('\n')}`)
  }
  if (tally.passed === 0) print('\nNo test passed.')
  if (times.length > 10) {
    const rows = slowestFiles(times, 10).map(
      ({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`,
    )
    print(`\nSlowest files:\n${rows.join('\n')}`)
  }
  print(`\nTook ${secondsSince(startedAt)}.`)
  print(formatTally(tally))
}

function secondsSince(instant: number): string {
  return `${((performance.now() - instant) / 1000).toFixed(1)} s`
}

/** Ends the running suites; the rest of the run then closes as usual, the database included. */
function stopOnSignals(): void {
  for (const [signal, exitCode] of Object.entries(signals)) {
    process.on(signal, () => {
      stoppedWith = exitCode
      for (const run of running) run.stop()
    })
  }
}
