import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import {
  everyStatistic,
  manualClock,
  removeFolder,
  usageUnderTest,
} from '../../server/usage/test-support/usage-under-test.ts'
import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { needs } from '../support/needs.ts'
import { covers } from '../support/covers.ts'

const program = fileURLToPath(new URL('./usage/full-disk-process.ts', import.meta.url))
/** As root, or as an ordinary user where the kernel lets users make namespaces of their own. */
const inOwnMounts = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount']
const hasMounts = needs('util-linux') && spawnSync('unshare', [...inOwnMounts, 'true']).status === 0

let testbed: TestDatabase
let folder = ''
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(async () => {
  if (folder !== '') removeFolder(folder)
  await testbed?.drop()
})

describe.skipIf(!hasMounts)('a disk of 4 MB', () => {
  test('a call that cannot be counted is refused, and what was counted is not lost', async () => {
    covers('threat-16')
    const under = usageUnderTest(testbed.database, manualClock(Date.now()))
    folder = under.folder
    const mounted = `mount -t tmpfs -o size=4m tmpfs ${folder} && exec "$0" --no-env-file "$@"`
    const child = Bun.spawn(
      ['unshare', ...inOwnMounts, 'sh', '-c', mounted, process.execPath, program, testbed.url, folder],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    const told = await new Response(child.stdout).text()
    expect(await child.exited).toBe(0)
    const { keys, counted, ...rest } = JSON.parse(told)
    expect(rest).toEqual({ lastRefusal: 'unavailable', known: true, hasWindow: false })
    expect(keys).toBeGreaterThan(13_000)
    expect(counted).toBe(keys + 1)

    under.clock.at = Date.now()
    const usage = under.open()
    const { totals } = await usage.statistics.methods('acc_full', everyStatistic)
    expect(totals).toMatchObject({ requests: counted, ok: counted, credits: counted })
    await usage.stop()
  }, 60_000)
})
