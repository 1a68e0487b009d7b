import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { BackupHeader, RowCounts } from '../backup/format.ts'
import { BackupDamaged, readBackup } from '../backup/read-backup.ts'
import { privateFolder } from '../config/data-folder.ts'
import { systemClock } from '../platform/clock.ts'
import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { requestBackup } from './control-client.ts'
import { describeRows, byteSize } from './quantities.ts'
import { readSettings } from './settings.ts'
import { createProgress, print, printJson } from './terminal.ts'

export const backupCommand: Command = {
  name: 'backup',
  about: 'Writes everything in the database to one file, while the server goes on.',
  takes: [],
  flags: {
    out: { type: 'string', value: 'FILE', about: 'never overwritten (default: gatehouse-DATE.backup)' },
    ...dataDirFlag,
  },
  notes: `Secrets in the file are sealed with the master key, which is not in it. Keep the folder "private" of the data
folder (or GATEHOUSE_MASTER_KEY) separately: one is useless without the other.`,
  async run(given) {
    const { dataDir, masterKeys } = readSettings(given)
    const file = resolve(given.text('out') ?? defaultName(systemClock.now()))
    refuseExisting(file)
    const { header, rows, bytes } = await writeFile(file, await requestBackup(dataDir))
    const keptKey = masterKeys === null ? privateFolder(dataDir) : 'GATEHOUSE_MASTER_KEY'
    if (given.isJson) {
      printJson({ file, bytes, createdAt: header.createdAt, rows, keepSeparately: keptKey })
      return
    }
    print(`Wrote ${file} (${byteSize(bytes)}).`)
    print(`Rows: ${describeRows(rows)}.`)
    print(`Secrets in it are sealed with the master key, which is not in it: keep ${keptKey} separately.`)
    print('One is useless without the other.')
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

/** Under another name until it is whole and checked, so that what has the right name can be restored. */
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
  const progress = createProgress()
  let bytes = 0

  async function* saved(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      await handle.appendFile(chunk)
      bytes += chunk.length
      progress.show(`${byteSize(bytes)} written`)
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
