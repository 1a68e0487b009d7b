/**
 * The embedded database on a small file system: writes rows until there is no room, makes room, goes on, and writes as one line
 * of JSON what became of the rows. Its argument is a folder on that file system.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { silentLog } from '../../../scripts/world/database.ts'
import { fillDisk } from '../../../scripts/world/fill-disk.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { openDatabase } from '../../../server/platform/database.ts'
import { Fault } from '../../../server/platform/fault.ts'

const [folder = ''] = process.argv.slice(2)
const migrationsFolder = fileURLToPath(new URL('../../../server/migrations', import.meta.url))
const database = await openDatabase({
  url: null,
  dataDir: join(folder, 'data'),
  log: silentLog,
  migrationsFolder,
})
await database.run((sql) => sql`CREATE TABLE facts (filler text STORAGE EXTERNAL)`)

const write = () =>
  database.run((sql) => sql`INSERT INTO facts VALUES (${randomBytes(100_000).toString('base64')})`)

/** Returns how many rows were acknowledged before one was refused, and how it was. */
async function writeUntilRefused(): Promise<{ acknowledged: number; refusal: string }> {
  for (let acknowledged = 0; ; acknowledged++) {
    try {
      await write()
    } catch (error) {
      return { acknowledged, refusal: error instanceof Fault ? error.code : String(error) }
    }
  }
}

const filler = join(folder, 'filler')
fillDisk(filler)
const { acknowledged, refusal } = await writeUntilRefused()
rmSync(filler)
await waitUntil('it can be written to again', () => write().then(() => true, () => false), 40_000) // prettier-ignore
const [row] = await database.run((sql) => sql<{ kept: number }[]>`SELECT count(*)::int AS kept FROM facts`)
process.stdout.write(JSON.stringify({ acknowledged, refusal, kept: row?.kept }))
await database.close()
