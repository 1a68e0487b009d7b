// Runs alone: it asserts that nobody waits for five seconds, of twenty programs.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { needs } from '../support/needs.ts'

/** What `npm run test:faults` runs: each fault once, under load; its output says what callers saw. */

const packages = [
  'faketime',
  'nginx-light',
  'openssl',
  'pgbouncer',
  'postgresql',
  'redis-server',
  'util-linux',
] as const
const program = join(import.meta.dir, '../../scripts/faults.ts')

describe.skipIf(!packages.every(needs))('three processes behind nginx', () => {
  test('survive what ordinarily goes wrong around them', async () => {
    const child = Bun.spawn([process.execPath, '--no-env-file', program], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const output = await new Response(child.stdout).text()
    process.stdout.write(output)
    // A machine that has no time for it breaks nothing: the output says how much was judged.
    expect(output).toMatch(/^(?:Everything held\.|Nothing was broken; .*)$/m)
    expect([0, 2]).toContain((await child.exited) ?? -1)
  }, 570_000)
})
