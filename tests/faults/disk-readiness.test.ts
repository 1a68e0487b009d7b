import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { temporaryDataDir, testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { isReady } from '../../scripts/world/gatehouse-process.ts'
import { type Program, startProgram } from '../../scripts/world/program.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { needs } from '../support/needs.ts'

/** As root, or as an ordinary user where the kernel lets users make namespaces of their own. */
const inOwnMounts = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount']
const hasMounts = needs('util-linux') && spawnSync('unshare', [...inOwnMounts, 'true']).status === 0

const home = temporaryDataDir()
const dataDir = join(home, 'data')
const backups = join(home, 'backups')
const fullDatabase = fileURLToPath(new URL('./disk/full-database-process.ts', import.meta.url))
let database: TestDatabase
let server: Program
let url: string

describe.skipIf(!hasMounts)('a data folder of 48 MB', () => {
  beforeAll(async () => {
    database = await testDatabase()
    mkdirSync(dataDir)
    mkdirSync(backups)
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const mounts = `mount -t tmpfs -o size=48m tmpfs ${dataDir} && mount -t tmpfs -o size=4k tmpfs ${backups}`
    const start = `${mounts} && exec sh scripts/bun.sh server/main.ts`
    server = startProgram(['unshare', ...inOwnMounts, 'sh', '-c', start], {
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_BACKUP_DIR: backups,
      DATABASE_URL: database.url,
    })
    await waitUntil('the server is ready', () => isReady(url), 30_000)
  }, 40_000)
  afterAll(async () => {
    await server?.kill()
    await database?.drop()
    rmSync(home, { recursive: true, force: true })
  })

  test('that is full takes the process out of the balancer, until there is room', async () => {
    const filler = join('/proc', String(server.pid), 'root', dataDir, 'filler')
    writeFileSync(filler, Buffer.alloc(40 * 1024 * 1024))
    await waitUntil('it is not ready', async () => !(await isReady(url)))
    const full = await fetch(`${url}/readyz`)
    expect(full.status).toBe(503)
    expect(await full.json()).toMatchObject({
      status: 'not_ready',
      checks: { disk: 'failed', database: 'ok' },
      reasons: { disk: 'the data folder is full' },
    })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    truncateSync(filler)
    await waitUntil('it is ready again', () => isReady(url))
  })

  test('beside a folder for backups that is full: that is told, nothing is left there, and all else goes on', async () => {
    await waitUntil('the backup failed', () => server.output().includes('a scheduled backup failed'))
    expect(server.output()).toContain('ENOSPC')
    expect(readdirSync(join('/proc', String(server.pid), 'root', backups))).toEqual([])
    expect(await isReady(url)).toBe(true)
  })
})

test.skipIf(!hasMounts)(
  'an embedded database without room refuses, goes on when there is some, and has every row that it acknowledged',
  async () => {
    const folder = temporaryDataDir()
    const start = `mount -t tmpfs -o size=160m tmpfs ${folder} && exec "$0" --no-env-file "$@"`
    const child = Bun.spawn(
      ['unshare', ...inOwnMounts, 'sh', '-c', start, process.execPath, fullDatabase, folder],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    const said = await new Response(child.stdout).text()
    expect(await child.exited).toBe(0)
    rmSync(folder, { recursive: true })
    const { acknowledged, refusal, kept } = JSON.parse(said)
    expect(refusal).toBe('unavailable')
    // What was refused may have been done, and one row was written when there was room.
    expect([1, 2]).toContain(kept - acknowledged)
  },
  90_000,
)
