import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { BackupHeader, RowCounts } from '../../backup/format.ts'
import { BackupDamaged, readBackup } from '../../backup/read-backup.ts'
import { privateFolder } from '../../config/data-folder.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, CommandFailure, dataDirFlag } from '../arguments/command.ts'
import { requestBackup } from '../control-client.ts'
import { formatRowCounts, formatBytes } from '../output/quantities.ts'
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
    const { dataDir, masterKeys } = readCommandSettings(args)
    const file = resolve(args.text('out') ?? defaultName(systemClock.now()))
    refuseExisting(file)
    const { header, rows, bytes } = await writeFile(file, await requestBackup(dataDir))
    const keptKey = masterKeys === null ? privateFolder(dataDir) : 'GATEHOUSE_MASTER_KEY'
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

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new CommandFailure(`there is a file ${file} already; give another with --out`)
}

interface Written {
  readonly header: BackupHeader
  readonly rows: RowCounts
  readonly bytes: number
}

/** Writes a file under a temporary name until it is complete and checked, so that a file with the right name is sound. */
async function writeFile(file: string, stream: AsyncIterable<Uint8Array>): Promise<Written> {
  const unfinished = `${file}.unfinished`
  const handle = await openNew(unfinished)
  try {
    const written = await save(handle, stream)
    await handle.sync()
    await handle.close()
    refuseExisting(file)
    await rename(unfinished, file)
    return written
  } catch (error) {
    await handle.close()
    await rm(unfinished, { force: true })
    throw error instanceof BackupDamaged ? new CommandFailure(`the backup ${error.message}`) : error
  }
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere) throw error
    throw new CommandFailure(`${path} is there: a backup is being written, or was cut off; then remove it`)
  }
}

async function save(handle: FileHandle, stream: AsyncIterable<Uint8Array>): Promise<Written> {
  const progress = createProgressLine()
  let bytes = 0

  async function* saved(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      await handle.appendFile(chunk)
      bytes += chunk.length
      progress.show(`${formatBytes(bytes)} written`)
      yield chunk
    }
  }

  let header: BackupHeader | null = null
  try {
    for await (const piece of readBackup(saved())) {
      if (piece.kind === 'header') header = piece.header
      if (piece.kind === 'end' && header !== null) return { header, rows: piece.rows, bytes }
    }
  } finally {
    progress.end()
  }
  throw new BackupDamaged('is cut short')
}
