import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
let database: TestDatabase
let server: Program
let url: string

describe.skipIf(!hasMounts)('a data folder of 48 MB', () => {
  beforeAll(async () => {
    database = await testDatabase()
    mkdirSync(dataDir)
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const start = `mount -t tmpfs -o size=48m tmpfs ${dataDir} && exec sh scripts/bun.sh server/main.ts`
    server = startProgram(['unshare', ...inOwnMounts, 'sh', '-c', start], {
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_DATA_DIR: dataDir,
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
})
