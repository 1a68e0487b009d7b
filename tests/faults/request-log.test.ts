import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { requestLogUnderTest } from '../../server/request-log/test-support/request-log-under-test.ts'
import { needs } from '../support/needs.ts'

const killedProgram = fileURLToPath(new URL('./request-log/killed-process.ts', import.meta.url))
const fullDiskProgram = fileURLToPath(new URL('./request-log/full-disk-process.ts', import.meta.url))
/** As root, or as an ordinary user where the kernel lets users make namespaces of their own. */
const inOwnMounts = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount']
const hasMounts = needs('util-linux') && spawnSync('unshare', [...inOwnMounts, 'true']).status === 0

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-requests-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('kill -9: every request that was written is there, each once, and nothing else', async () => {
  let known = 0
  for (let kill = 0; kill < 5; kill++) {
    const child = Bun.spawn([process.execPath, '--no-env-file', killedProgram, folder], {
      stdout: 'pipe',
    })
    let told = ''
    for await (const part of child.stdout) {
      told += new TextDecoder().decode(part)
      if (told.split('\n').length > 10 + kill * 7) break
    }
    child.kill('SIGKILL')
    await child.exited
    const lines = told.split('\n')
    const surely = Number(lines.at(-2))
    const under = requestLogUnderTest(folder)
    under.at += 3_600_000
    const requests = await under.open()
    const found = (await requests.counts('acc_1', { from: 0 }, under.at)).reduce(
      (sum, { failed }) => sum + failed,
      0,
    )
    expect(found).toBeGreaterThanOrEqual(known + surely)
    known = found
    await requests.stop()
  }
}, 60_000)

describe.skipIf(!hasMounts)('a disk of 4 MB that is full', () => {
  test('calls go on, what was written stays, and a gap says how many are missing', async () => {
    const mounted = `mount -t tmpfs -o size=4m tmpfs ${folder} && exec "$0" --no-env-file "$@"`
    const child = Bun.spawn(
      ['unshare', ...inOwnMounts, 'sh', '-c', mounted, process.execPath, fullDiskProgram, folder],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    const told = JSON.parse(await new Response(child.stdout).text())
    expect(await child.exited).toBe(0)
    expect(told).toMatchObject({ hasBefore: 1, hasAfter: true })
    // A write that fails may have written a part, so that a few requests are both there and missing.
    expect(told.notKept + told.failed).toBeGreaterThanOrEqual(4_000)
    expect(told.notKept).toBeGreaterThan(3_000)
  }, 60_000)
})
