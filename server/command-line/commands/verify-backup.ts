import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { BackupDamaged } from '../../backup/read-backup.ts'
import { type BackupVerification, verifyBackup } from '../../backup/verify-backup.ts'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { openScratchDatabase } from '../../platform/postgres/scratch-database.ts'
import { productPath } from '../../platform/product-folder.ts'
import { type CliCommand, CommandFailure, dataDirFlag } from '../arguments/command.ts'
import { keyPlace, readKeyIds } from '../arguments/master-key.ts'
import { readCommandSettings } from '../arguments/settings.ts'
import { formatRowCounts } from '../output/quantities.ts'
import { restoreRefusal } from '../output/restore-refusal.ts'
import { createProgressLine, printJsonResult, printResult } from '../output/terminal.ts'

export const verifyBackupCommand: CliCommand = {
  name: 'backup verify',
  about:
    'Restores a backup into a scratch database and compares every table with the file. Servers may be running.',
  positionals: ['FILE'],
  flags: dataDirFlag,
  notes: `The scratch database is an embedded PostgreSQL in the temporary folder of the system (TMPDIR), which needs about as
much room as the database, and is removed afterwards. Where the embedded one is not installed, it is made on the server
of DATABASE_URL, whose role must be allowed to create databases. The database of the installation is not touched.`,
  async run(args) {
    const settings = readCommandSettings(args)
    const file = resolve(args.argument(0))
    if (!existsSync(file)) throw new CommandFailure(`there is no file ${file}`)
    const outcome = await verify(file, settings)
    if (outcome.kind === 'changed') throw new CommandFailure(changedText(file, outcome.tables))
    if (outcome.kind !== 'verified') throw new CommandFailure(restoreRefusal(outcome, keyPlace(settings)))
    if (outcome.missingKeyIds.length > 0) {
      throw new CommandFailure(
        `every row of ${file} came back, but its secrets need the master key ${outcome.missingKeyIds.join(', ')}, which is ` +
          `not in ${keyPlace(settings)}`,
      )
    }
    print(file, outcome, args.isJson)
  },
}

async function verify(file: string, settings: Config): Promise<BackupVerification> {
  const progress = createProgressLine()
  const log = createLog({ level: 'error', destination: process.stderr })
  progress.show('making a scratch database')
  const scratch = await openScratchDatabase({
    url: settings.databaseDirectUrl ?? settings.databaseUrl,
    log,
    migrationsFolder: productPath('server/migrations'),
  })
  let rows = 0
  try {
    return await verifyBackup({
      scratch: scratch.database,
      read: () => Bun.file(file).stream(),
      keyIds: await readKeyIds(settings),
      now: systemClock.now,
      log,
      onLoaded(table, count) {
        rows += count
        progress.show(`${rows} rows restored (${table})`)
      },
    })
  } catch (error) {
    throw error instanceof BackupDamaged ? new CommandFailure(`${file} ${error.message}`) : error
  } finally {
    progress.end()
    await scratch.drop()
  }
}

type Verified = Extract<BackupVerification, { kind: 'verified' }>

function print(file: string, { header, tables }: Verified, isJson: boolean): void {
  const rows = Object.fromEntries([...tables].map(([table, digest]) => [table, digest.rows]))
  if (isJson) {
    printJsonResult({ file, createdAt: header.createdAt, tables: Object.fromEntries(tables) })
    return
  }
  printResult(`${file} of ${new Date(header.createdAt).toISOString()} can be restored.`)
  printResult(`Rows that came back as they were: ${formatRowCounts(rows)}.`)
  printResult('The master key opens its secrets.')
}

function changedText(
  file: string,
  tables: Extract<BackupVerification, { kind: 'changed' }>['tables'],
): string {
  const lines = tables.map(({ table, backup, restored }) =>
    restored?.rows === backup.rows
      ? `${table} (${backup.rows} rows, of which some came back changed)`
      : `${table} (${backup.rows} rows, of which ${restored?.rows ?? 0} came back)`,
  )
  return `${file} did not come back as it is: ${lines.join(', ')}`
}
