import { chmodSync, closeSync, existsSync, mkdtempSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Suite } from './suites.ts'
import { failedTally, readTimes, tallyProcess } from './tally.ts'
import type { FileTime, Tally } from './tally.ts'

/** A running `bun test` process; `result` always resolves. */
export interface SuiteRun {
  result: Promise<SuiteResult>
  /** Ends the process and everything it started. */
  stop(): void
}

export interface SuiteResult {
  tally: Tally
  /** What the process wrote, which holds the details of every failure. */
  output: string
  /** How long each file of the suite took. */
  times: FileTime[]
  /** What the process and everything that it waited for took of the processors. */
  processorSeconds: number
}

/** Starts one suite. */
export function startSuite(suite: Suite, env: Record<string, string | undefined>): SuiteRun {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'))
  // PostgreSQL, which runs as a user of its own where root runs the tests, has to reach its own folder in it.
  chmodSync(folder, 0o711)
  // A file, not a pipe: what the tests started may hold a pipe open after the process is gone.
  const output = openSync(join(folder, 'output'), 'a')
  const command = [process.execPath, ...bunArguments(suite, join(folder, 'report.xml'))]
  // Who waits for an instant gets a processor then, before those that are always busy.
  const yielding = suite.sharing === 'busy' ? ['nice', '-n', '5'] : []
  const child = Bun.spawn([...yielding, ...command], {
    // What the tests leave in the temporary folder goes with it.
    env: { ...env, TMPDIR: folder },
    stdio: ['ignore', output, output],
    // A process group of its own: killing the group takes the servers that tests started with it.
    detached: true,
  })
  closeSync(output)
  const stop = () => killGroup(child.pid)
  return { result: finish(suite, child, folder, stop), stop }
}

function bunArguments(suite: Suite, reportPath: string): string[] {
  return [
    'test',
    '--no-env-file',
    '--only-failures',
    '--preload=./tests/support/preload.ts',
    ...(suite.preload === undefined ? [] : [`--preload=${suite.preload}`]),
    `--timeout=${suite.testTimeoutMs}`,
    '--reporter=junit',
    `--reporter-outfile=${reportPath}`,
    ...suite.files.map((file) => `./${file}`),
  ]
}

async function finish(
  suite: Suite,
  child: Bun.Subprocess,
  folder: string,
  stop: () => void,
): Promise<SuiteResult> {
  const startedAt = performance.now()
  let timedOut = false
  const limit = setTimeout(() => {
    timedOut = true
    stop()
  }, suite.timeLimitMs)
  const exitCode = await child.exited
  clearTimeout(limit)
  stop() // what the tests left behind
  const seconds = (performance.now() - startedAt) / 1000
  const reportPath = join(folder, 'report.xml')
  const junit = existsSync(reportPath) ? await readFile(reportPath, 'utf8') : null
  const output = await readFile(join(folder, 'output'), 'utf8')
  // What is only now being killed may still write there.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  const [onlyFile, ...others] = suite.files
  const isOneFile = onlyFile !== undefined && others.length === 0
  return {
    tally: timedOut
      ? failedTally(`${suite.files.join(', ')}: stopped after ${suite.timeLimitMs / 1000} s`)
      : tallyProcess({ files: suite.files, junit, exitCode }),
    output,
    // A file with a process of its own also takes what lies outside of its tests.
    times: isOneFile ? [{ file: onlyFile, seconds }] : readTimes(junit ?? ''),
    processorSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** ESRCH: no such group any more. macOS says EPERM of a group whose last processes are only waiting to be reaped. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')
}
