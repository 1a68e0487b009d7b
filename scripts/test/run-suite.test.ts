import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { startSuite } from './run-suite.ts'
import type { Suite } from './suites.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-suite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function suiteOf(name: string, text: string, timeLimitMs = 20_000): Promise<Suite> {
  const file = join(folder, `${name}.test.ts`)
  await Bun.write(file, `import { expect, test } from 'bun:test'\n${text}`)
  const files = [relative(process.cwd(), file)]
  return { name, files, timeLimitMs, testTimeoutMs: 15_000, sharing: 'busy', startsPrograms: false }
}

test('runs a suite and counts its tests', async () => {
  const suite = await suiteOf('fine', `test('one', () => expect(1).toBe(1)); test.todo('two')`)
  const { tally, output, times } = await startSuite(suite, process.env).result
  expect(output).toContain('1 pass')
  expect(times).toEqual([{ file: suite.files[0] ?? '', seconds: expect.any(Number) }])
  expect(tally).toEqual({ passed: 1, failed: 0, skipped: 1, failures: [] })
})

test('a file that ends the process counts as failed, although bun exits with 0', async () => {
  const suite = await suiteOf('leaves', `test('one', () => process.exit(0))`)
  expect((await startSuite(suite, process.env).result).tally.failed).toBe(1)
})

test('what a suite leaves in the temporary folder is removed', async () => {
  const pathFile = join(folder, 'left')
  const suite = await suiteOf(
    'leaves-files',
    `import { mkdtempSync } from 'node:fs'
     import { tmpdir } from 'node:os'
     test('one', () => Bun.write(${JSON.stringify(pathFile)}, mkdtempSync(tmpdir() + '/left-')))`,
  )
  expect((await startSuite(suite, process.env).result).tally.passed).toBe(1)
  expect(existsSync(await Bun.file(pathFile).text())).toBe(false)
})

const listener = `
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('alive') })
  await Bun.write(process.argv.at(-1), String(server.port))
`

test('a hanging suite is stopped at its limit, and so is what it started', async () => {
  const portFile = join(folder, 'port')
  const suite = await suiteOf(
    'hangs',
    `test('waits', async () => {
       Bun.spawn([process.execPath, '-e', ${JSON.stringify(listener)}, ${JSON.stringify(portFile)}])
       while (!(await Bun.file(${JSON.stringify(portFile)}).exists())) await Bun.sleep(5)
       for (;;) {}
     })`,
    3_000,
  )
  const { tally } = await startSuite(suite, process.env).result
  expect(tally.failures).toEqual([expect.stringContaining('stopped after 3 s')])
  const address = `http://127.0.0.1:${await Bun.file(portFile).text()}/`
  await expect(fetch(address)).rejects.toThrow()
})
