import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { migrateDatabase } from '../../server/platform/database.ts'
import { startEmbedded } from '../../server/platform/postgres/embedded.ts'
import { ownMigrations, silentLog, temporaryDataDir } from './database.ts'
import { sharedVariables } from './shared-variables.ts'

/**
 * The files of an embedded PostgreSQL that has all tables already. `scripts/test.ts` makes it once, and each
 * installation of the tests begins with a copy: making a cluster takes a second of a processor, and copying one does not.
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
    await migrateDatabase({ url: server.url, log: silentLog, migrationsFolder: ownMigrations }).finally(
      server.stop,
    )
    return { dataDir, remove }
  } catch (error) {
    remove()
    throw error
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
