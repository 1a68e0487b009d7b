import { expect, test } from 'bun:test'

import manifest from '../package.json' with { type: 'json' }

async function run(script: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, '--no-env-file', script, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, error }
}

/** Those beside the product's own programs, whose tests say the same of them. */
const scripts = Object.values(manifest.scripts).flatMap(
  (command) => /scripts\/[\w/]+\.ts/.exec(command) ?? [],
)

test.each(scripts)('%s says what it does, and what was typed wrongly', async (script) => {
  const [help, typo] = await Promise.all([run(script, '--help'), run(script, '--hlep')])
  expect([help.code, help.error]).toEqual([0, ''])
  expect(help.out).toMatch(/npm (?:run |test)/)
  expect([typo.code, typo.out]).toEqual([1, ''])
  expect(typo.error).toMatch(/^[\w:]+: Unknown option '--hlep'\. See --help\.\n$/)
})
