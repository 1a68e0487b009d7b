import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation, isReady } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { startProgram } from '../../scripts/world/program.ts'
import type { Program } from '../../scripts/world/program.ts'

/** Some machines start services under umask 0: what a file may then be is what its maker said, and nothing else. */

let installation: TestInstallation
let server: Program

beforeAll(async () => {
  installation = await createTestInstallation()
  server = startProgram(['sh', '-c', 'umask 0; exec sh scripts/bun.sh server/main.ts'], {
    GATEHOUSE_PORT: String(installation.port),
    GATEHOUSE_DATA_DIR: installation.dataDir,
    GATEHOUSE_FILE: installation.filePath,
  })
  await waitUntil('the server is ready', () => isReady(installation.url), 30_000)
}, 60_000)

afterAll(async () => {
  await server.kill()
  await installation.remove()
})

interface Found {
  readonly path: string
  readonly isFolder: boolean
  readonly mode: number
}

/** Everything below a folder but symbolic links, whose own mode means nothing. What vanishes meanwhile is left out. */
function below(folder: string): Found[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink()) return []
    const own = {
      path: relative(installation.dataDir, path),
      isFolder: stats.isDirectory(),
      mode: stats.mode & 0o777,
    }
    return [own, ...(own.isFolder ? below(path) : [])]
  })
}

const said = ({ path, mode }: Found): string => `${path} ${mode.toString(8)}`

test('under umask 0 nobody else can write anything of the data folder, and only its owner reads files', () => {
  const found = below(installation.dataDir)
  const paths = new Set(found.map(({ path }) => path))
  for (const path of ['postgres.pid', 'postgres.lock', 'private/master-key', 'private/metrics-token']) {
    expect([...paths]).toContain(path)
  }
  expect(found.filter(({ mode }) => (mode & 0o022) !== 0).map(said)).toEqual([])
  expect(found.filter(({ isFolder, mode }) => !isFolder && (mode & 0o077) !== 0).map(said)).toEqual([])
})
