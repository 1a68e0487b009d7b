import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { createAudit } from '../../server/audit/audit.ts'
import type { ChainHead } from '../../shared/audit.ts'
import { type CommandLine, commandLineOf } from '../support/command-line.ts'

let database: TestDatabase
let installation: TestInstallation
let commands: CommandLine
/** The heads after each event of January and February. */
const heads: ChainHead[] = []

beforeAll(async () => {
  database = await testDatabase()
  for (const now of [
    Date.UTC(2026, 0, 5),
    Date.UTC(2026, 0, 6),
    Date.UTC(2026, 1, 5),
    Date.UTC(2026, 1, 6),
  ]) {
    const audit = createAudit({ database: database.database, clock: { now: () => now } })
    const actor = { id: 'acc_1', label: 'Ada' }
    const subject = { kind: 'service', id: 'a' } as const
    await database.database.transaction((sql) =>
      audit.record(sql, { actor, action: 'service.add', subject, ip: null, requestId: null }),
    )
    heads.push(await audit.head())
  }
  installation = await createTestInstallation()
  await installation.start({ DATABASE_URL: database.url })
  commands = commandLineOf(installation.dataDir)
})
afterAll(async () => {
  await installation?.remove()
  await database?.drop()
})

const refusal = (month: string) =>
  `gatehouse: the head that you gave is in the archive of ${month}: add --archive DIR\n`

test('a head whose event was archived is compared in its file, or not accepted', async () => {
  const [january, , february, end] = heads.map(({ seq, hash }) => `${seq}:${hash}`)
  const folder = join(installation.dataDir, 'archive')
  expect((await commands.run(['audit', 'archive', '--before', '2026-03', '--to', folder])).exitCode).toBe(0)
  const verify = async (head: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await commands.run(['audit', 'verify', '--head', head, ...args])
    return [exitCode, exitCode === 0 ? stdout.split('\n')[0] : stderr]
  }
  const other = `2:${'1'.repeat(64)}`
  expect(await verify(other)).toEqual([1, refusal('2026-01')])
  expect(await verify(february ?? '')).toEqual([1, refusal('2026-02')])
  expect(await verify(other, '--archive', folder)).toEqual([
    1,
    'gatehouse: the log is broken: event 2 is another one than the head that you gave\n',
  ])
  for (const head of [january, february, end])
    expect(await verify(head ?? '', '--archive', folder)).toEqual([
      0,
      expect.stringMatching(/^\d+ events, all as they were recorded\.$/),
    ])
  expect(await verify(end ?? '')).toEqual([0, expect.stringContaining('all as they were recorded')])
}, 60_000)
