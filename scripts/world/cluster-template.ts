import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { migrateDatabase, openDatabase } from '../../server/platform/database.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { startEmbedded } from '../../server/platform/postgres/embedded.ts'
import { readFolder } from '../../server/registry/sources/folder.ts'
import { packFiles } from '../../server/registry/sources/pack.ts'
import { createRegistryStore } from '../../server/registry/store.ts'
import { ownMigrations, silentLog, temporaryDataDir, unrecorded } from './database.ts'
import { writeRegistry } from './registry-folder.ts'
import { sharedVariables } from './shared-variables.ts'

/**
 * The files of an embedded PostgreSQL that has all tables already, and an imported registry of two rows. `scripts/test.ts`
 * makes it once, and each installation of the tests begins with a copy: making a cluster takes a second of a processor, and
 * copying one does not; nor does a server that starts take most of another second to read the built-in registry.
 */
export interface ClusterTemplate {
  readonly dataDir: string
  remove(): void
}

export async function makeClusterTemplate(): Promise<ClusterTemplate> {
  const dataDir = temporaryDataDir()
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbedded({ dataDir, log: silentLog, isDurable: false })
    try {
      await migrateDatabase({ url: server.url, log: silentLog, migrationsFolder: ownMigrations })
      await importSmallRegistry(server.url)
    } finally {
      await server.stop()
    }
    return { dataDir, remove }
  } catch (error) {
    remove()
    throw error
  }
}

async function importSmallRegistry(url: string): Promise<void> {
  const folder = writeRegistry([])
  const database = await openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder: ownMigrations })
  try {
    const content = await packFiles(await readFolder(folder))
    const made = { version: 'small', source: 'tests', rows: 2, content, importedAt: systemClock.now() }
    await createRegistryStore(database).save(made, unrecorded)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true })
  }
}

/** Gives a data folder that has no database yet a copy of the template, where there is one. */
export function copyClusterTemplate(dataDir: string): void {
  const template = process.env[sharedVariables.cluster] ?? ''
  if (template === '' || existsSync(join(dataDir, 'postgres'))) return
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  // Not `cpSync`: PostgreSQL runs as the owner of its files, which may be another user.
  const { status, stderr } = spawnSync('cp', ['-a', join(template, 'postgres'), dataDir], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the template of the database cannot be copied: ${stderr}`)
}
