import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { commandsOfPackage } from './needs.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-needs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a suite that needs litecoind where PATH holds nothing. */
async function runSuite(environment: Record<string, string>): Promise<{ exitCode: number; output: string }> {
  const file = join(folder, 'coin.test.ts')
  await Bun.write(
    file,
    `import { describe, test } from 'bun:test'
     import { needs } from ${JSON.stringify(join(import.meta.dir, 'needs.ts'))}
     describe.skipIf(!needs('litecoind'))('coin', () => test('mines', () => { throw new Error('ran') }))`,
  )
  const child = Bun.spawn([process.execPath, 'test', '--no-env-file', file], {
    env: { PATH: folder, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { exitCode: await child.exited, output: stdout + stderr }
}

test('a missing package skips the suite and says what to install', async () => {
  const { exitCode, output } = await runSuite({})
  expect(output).toContain('coin.test.ts needs the Debian package litecoind (apt-get install litecoind)')
  expect(output).toMatch(/ 1 skip\n/)
  expect(exitCode).toBe(0)
})

test('on the build machine it fails', async () => {
  const { exitCode, output } = await runSuite({ CI: 'true' })
  expect(output).toMatch(/ 1 skip\n[\s\S]* 1 fail\n/)
  expect(exitCode).toBe(1)
})

test('the build machine installs every package that a suite may need', async () => {
  const script = await Bun.file('.ci/run').text()
  const installed = /^packages=\((.*)\)$/m.exec(script)?.[1]?.split(' ') ?? []
  expect(installed.toSorted()).toEqual(Object.keys(commandsOfPackage).toSorted())
})
