import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { BackupDamaged } from '../../backup/read-backup.ts'
import { type Restoration, checkBackup, restoreDatabase } from '../../backup/restore.ts'
import type { Config } from '../../config/config.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import { createLog } from '../../platform/log.ts'
import { InstanceLockedError, lockInstance } from '../../platform/postgres/instance-lock.ts'
import type { InstanceLock } from '../../platform/postgres/instance-lock.ts'
import { type CliCommand, CommandFailure, dataDirFlag } from '../arguments/command.ts'
import { formatRowCounts } from '../output/quantities.ts'
import { keyPlace, readKeyIds } from '../arguments/master-key.ts'
import { readCommandSettings } from '../arguments/settings.ts'
import { restoreRefusal } from '../output/restore-refusal.ts'
import { createProgressLine, printResult, printJsonResult } from '../output/terminal.ts'
import { productPath } from '../../platform/product-folder.ts'

const migrationsFolder = productPath('server/migrations')

export const restoreCommand: CliCommand = {
  name: 'restore',
  about: 'Replaces everything in the database by a backup. Only while no server runs on it.',
  positionals: ['FILE'],
  flags: {
    yes: { type: 'boolean', about: 'replace what is in a database that is not empty' },
    ...dataDirFlag,
  },
  notes: `The master key of the time when the backup was made must be in place: the folder "private" of the data folder,
or GATEHOUSE_MASTER_KEY. With DATABASE_URL, stop every server that uses that database. Nothing is changed when the file
is damaged, was made by another version, or holds secrets that the master key does not open.`,
  async run(args) {
    const settings = readCommandSettings(args)
    const file = resolve(args.argument(0))
    if (!existsSync(file)) throw new CommandFailure(`there is no file ${file}`)
    const lock = lockDataFolder(settings.dataDir)
    try {
      const outcome = await restoreFile(file, settings, args.isSet('yes'))
      if (outcome.kind !== 'restored') throw new CommandFailure(restoreRefusal(outcome, keyPlace(settings)))
      if (args.isJson) printJsonResult({ file, rows: outcome.rows })
      else {
        printResult(`Restored ${file}.`)
        printResult(`Rows: ${formatRowCounts(outcome.rows)}.`)
        printResult(`Its secrets open with the master key in ${keyPlace(settings)}.`)
      }
    } finally {
      lock.release()
    }
  },
}

function lockDataFolder(dataDir: string): InstanceLock {
  try {
    return lockInstance(dataDir)
  } catch (error) {
    if (!(error instanceof InstanceLockedError)) throw error
    throw new CommandFailure(`${error.message}; stop it before you restore`)
  }
}

/** Restores a file, which is checked to its end before the database is opened. */
async function restoreFile(file: string, settings: Config, replaces: boolean): Promise<Restoration> {
  const progress = createProgressLine()
  try {
    progress.show(`checking ${file}`)
    const header = await checkBackup(Bun.file(file).stream())
    const keyIds = await readKeyIds(settings)
    let rows = 0
    return await withDatabase(settings, (database) =>
      restoreDatabase({
        database,
        header,
        source: Bun.file(file).stream(),
        replaces,
        keyIds,
        onLoaded(table, count) {
          rows += count
          progress.show(`${rows} rows restored (${table})`)
        },
      }),
    )
  } catch (error) {
    throw error instanceof BackupDamaged ? new CommandFailure(`${file} ${error.message}`) : error
  } finally {
    progress.end()
  }
}

async function withDatabase<T>(settings: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({
    url: settings.databaseUrl,
    directUrl: settings.databaseDirectUrl,
    dataDir: settings.dataDir,
    log: createLog({ level: 'warn', destination: process.stderr }),
    migrationsFolder,
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
