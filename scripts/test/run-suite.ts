import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Suite } from './suites.ts'
import { failedTally, tallyProcess } from './tally.ts'
import type { Tally } from './tally.ts'

/** A running `bun test` process; `result` always resolves. */
export interface SuiteRun {
  result: Promise<Tally>
  /** Ends the process and everything it started. */
  stop(): void
}

/** Starts one suite. Its output goes to ours, so that the details of every failure stay in sight. */
export function startSuite(suite: Suite, env: Record<string, string | undefined>): SuiteRun {
  const reportPath = join(tmpdir(), `gatehouse-test-${process.pid}-${crypto.randomUUID()}.xml`)
  const child = Bun.spawn([process.execPath, ...bunArguments(suite, reportPath)], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A process group of its own: killing the group takes the servers that tests started with it.
    detached: true,
  })
  const stop = () => killGroup(child.pid)
  return { result: finish(suite, child, reportPath, stop), stop }
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
  reportPath: string,
  stop: () => void,
): Promise<Tally> {
  let timedOut = false
  const limit = setTimeout(() => {
    timedOut = true
    stop()
  }, suite.timeLimitMs)
  const exitCode = await child.exited
  clearTimeout(limit)
  stop() // what the tests left behind
  const junit = existsSync(reportPath) ? await readFile(reportPath, 'utf8') : null
  await rm(reportPath, { force: true })
  if (timedOut) return failedTally(`${suite.files.join(', ')}: stopped after ${suite.timeLimitMs / 1000} s`)
  return tallyProcess({ files: suite.files, junit, exitCode })
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
