import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'

/** What somebody reads who typed something that cannot be: one sentence that says how to go on, and exit code 1. */

let installation: TestInstallation
let refusalOf: CommandLine['refusalOf']

beforeAll(async () => {
  installation = await createTestInstallation({ services: [] })
  await installation.start()
  ;({ refusalOf } = commandLineOf(installation.dataDir))
})

afterAll(() => installation.remove())

test.each([
  ['requests --outcome never', '--outcome: expected one of "answered", "failed", "refused"'],
  ['requests --status abc', '--status: expected a number'],
  ['requests --key nobody --limit 0', '--limit: expected a number of at least 1'],
  ['audit list --subject-kind api_key --before abc', '--before: expected a number'],
  ['tool-calls --outcome never', '--outcome: expected one of "answered", "tool_error", "failed", "denied"'],
  ['teams members nobody', 'There is no team of this id; see teams list'],
  [
    'registry import http://user:hunter2@registry.example/snapshot.tar.gz',
    'The registry: expected a folder, a .tar.gz file, or an https address without a user',
  ],
])('%s: %s', async (typed, sentence) => {
  expect(await refusalOf(...typed.split(' '))).toBe(`gatehouse: ${sentence}\n`)
})

test('a folder that is not there is named, and nothing passes for checked or written', async () => {
  const none = join(installation.dataDir, 'none')
  expect(await refusalOf('audit', 'verify', '--archive', none)).toBe(
    `gatehouse: --archive: there is no folder ${none}\n`,
  )
  expect(await refusalOf('backup', '--out', join(none, 'a.backup'))).toBe(
    `gatehouse: there is no folder ${none}; make it, or give another with --out\n`,
  )
})
