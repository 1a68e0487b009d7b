import { test } from 'bun:test'
import { relative } from 'node:path'

import { chromiumCommands, findCommand } from '../../scripts/world/find-command.ts'

/** Debian packages that suites use, and the commands by which we see that one is installed: any of them will do. */
export const commandsOfPackage = {
  'chromium-headless-shell': chromiumCommands,
  curl: ['curl'],
  faketime: ['faketime'],
  iproute2: ['ip'],
  litecoind: ['litecoind'],
  'nginx-light': ['nginx'],
  openssl: ['openssl'],
  pgbouncer: ['pgbouncer'],
  postgresql: ['pg_ctlcluster'],
  prometheus: ['prometheus'],
  'redis-server': ['redis-server'],
  strace: ['strace'],
  'util-linux': ['unshare'],
} as const

export type DebianPackage = keyof typeof commandsOfPackage

/**
 * Whether a suite can run: `describe.skipIf(!needs('litecoind'))(…)`. Where the package is missing it says so in one
 * line; with `CI=true` it also adds a failing test, because there `.ci/run` installs the package first.
 */
export function needs(debianPackage: DebianPackage): boolean {
  return (
    commandsOfPackage[debianPackage].some((command) => findCommand(command) !== null) ||
    isMissing(`the Debian package ${debianPackage} (apt-get install ${debianPackage})`)
  )
}

/** As `needs`. Node is there wherever npm is; with Bun alone everything else can be tried. */
export function needsNode(): boolean {
  return findCommand('node') !== null || isMissing('Node (https://nodejs.org)')
}

function isMissing(what: string): false {
  const message = `${relative(process.cwd(), Bun.main)} needs ${what}`
  process.stdout.write(`skipped: ${message}\n`)
  if (process.env.CI === 'true') {
    test(`installed: ${what}`, () => {
      throw new Error(message)
    })
  }
  return false
}
