import { dirname, resolve } from 'node:path'

import {
  BackupFileTaken,
  type WrittenBackup,
  unfinishedName,
  writeBackupFile,
} from '../../backup/backup-file.ts'
import { BackupDamaged } from '../../backup/read-backup.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, CommandFailure, dataDirFlag } from '../arguments/command.ts'
import { requestBackup } from '../control-client.ts'
import { formatRowCounts, formatBytes } from '../output/quantities.ts'
import { keyPlace } from '../arguments/master-key.ts'
import { readCommandSettings } from '../arguments/settings.ts'
import { createProgressLine, printResult, printJsonResult } from '../output/terminal.ts'

export const backupCommand: CliCommand = {
  name: 'backup',
  about: 'Writes everything in the database to one file, while the server is running.',
  positionals: [],
  flags: {
    out: { type: 'string', value: 'FILE', about: 'never overwritten (default: gatehouse-DATE.backup)' },
    ...dataDirFlag,
  },
  notes: `Secrets in the file are sealed with the master key, which is not in it. Keep the folder "private" of the data
folder (or GATEHOUSE_MASTER_KEY) separately: one is useless without the other.`,
  async run(args) {
    const settings = readCommandSettings(args)
    const file = resolve(args.text('out') ?? defaultName(systemClock.now()))
    const { header, rows, bytes } = await save(file, settings.dataDir)
    const keptKey = keyPlace(settings)
    if (args.isJson) {
      printJsonResult({ file, bytes, createdAt: header.createdAt, rows, keepSeparately: keptKey })
      return
    }
    printResult(`Wrote ${file} (${formatBytes(bytes)}).`)
    printResult(`Rows: ${formatRowCounts(rows)}.`)
    printResult(
      `Secrets in it are sealed with the master key, which is not in it: keep ${keptKey} separately.`,
    )
    printResult('One is useless without the other.')
  },
}

const defaultName = (now: number): string => `gatehouse-${new Date(now).toISOString().slice(0, 10)}.backup`

async function save(file: string, dataDir: string): Promise<WrittenBackup> {
  const progress = createProgressLine()
  try {
    return await writeBackupFile(file, await requestBackup(dataDir), (bytes) =>
      progress.show(`${formatBytes(bytes)} written`),
    )
  } catch (error) {
    throw failureOf(error, file)
  } finally {
    progress.end()
  }
}

/** Says what is in the way, and how to go on. */
function failureOf(error: unknown, file: string): unknown {
  if (error instanceof BackupDamaged) return new CommandFailure(`the backup ${error.message}`)
  if (!(error instanceof BackupFileTaken)) return unwritable(error, file) ?? error
  return new CommandFailure(
    error.path.endsWith(unfinishedName(''))
      ? `${error.path} is there: a backup is being written, or was cut off; then remove it`
      : `${error.message}; give another with --out`,
  )
}

function unwritable(error: unknown, file: string): CommandFailure | null {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new CommandFailure(`there is no folder ${dirname(file)}; make it, or give another with --out`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CommandFailure(`${dirname(file)} cannot be written to; give another folder with --out`)
    case 'ENOSPC':
      return new CommandFailure(`the disk of ${dirname(file)} is full; give a folder on another with --out`)
    default:
      return null
  }
}
