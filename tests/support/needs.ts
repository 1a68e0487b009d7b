import { test } from 'bun:test'
import { relative } from 'node:path'

import { findCommand } from './find-command.ts'

/** Debian packages that suites use, and the command by which we see that one is installed. */
export const commandOfPackage = {
  chromium: 'chromium',
  faketime: 'faketime',
  iproute2: 'ip',
  litecoind: 'litecoind',
  'redis-server': 'redis-server',
  strace: 'strace',
  'util-linux': 'unshare',
} as const

export type DebianPackage = keyof typeof commandOfPackage

/**
 * Whether a suite can run: `describe.skipIf(!needs('litecoind'))(…)`. Where the package is missing it says so in one
 * line; with `CI=true` it also adds a failing test, because there `.ci/run` installs the package first.
 */
export function needs(debianPackage: DebianPackage): boolean {
  if (findCommand(commandOfPackage[debianPackage]) !== null) return true
  const suite = relative(process.cwd(), Bun.main)
  const message = `${suite} needs the Debian package ${debianPackage} (apt-get install ${debianPackage})`
  process.stdout.write(`skipped: ${message}\n`)
  if (process.env.CI === 'true') {
    test(`the Debian package ${debianPackage} is installed`, () => {
      throw new Error(message)
    })
  }
  return false
}
