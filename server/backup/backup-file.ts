import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

import type { BackupHeader, RowCounts } from './format.ts'
import { BackupDamaged, readBackup } from './read-backup.ts'

export interface WrittenBackup {
  readonly header: BackupHeader
  readonly rows: RowCounts
  readonly bytes: number
}

/** A file is there that is never overwritten. */
export class BackupFileTaken extends Error {
  override readonly name = 'BackupFileTaken'
  readonly path: string

  constructor(path: string) {
    super(`there is a file ${path} already`)
    this.path = path
  }
}

/** What a file is called until it is complete. */
export const unfinishedName = (file: string): string => `${file}.unfinished`

/**
 * Writes a backup under another name until it is complete and checked, so that a file with the right name is sound. Throws
 * `BackupFileTaken`, `BackupDamaged`, and what the stream and the disk throw; nothing is left then.
 */
export async function writeBackupFile(
  file: string,
  stream: AsyncIterable<Uint8Array>,
  onWritten: (bytes: number) => void = () => undefined,
): Promise<WrittenBackup> {
  const unfinished = unfinishedName(file)
  refuseTaken(file)
  const handle = await openNew(unfinished)
  try {
    const written = await save(handle, stream, onWritten)
    await handle.sync()
    await handle.close()
    refuseTaken(file)
    await rename(unfinished, file)
    return written
  } catch (error) {
    await handle.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new BackupFileTaken(file)
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isThere ? new BackupFileTaken(path) : error
  }
}

async function save(
  handle: FileHandle,
  stream: AsyncIterable<Uint8Array>,
  onWritten: (bytes: number) => void,
): Promise<WrittenBackup> {
  let bytes = 0

  async function* saved(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      await handle.appendFile(chunk)
      bytes += chunk.length
      onWritten(bytes)
      yield chunk
    }
  }

  let header: BackupHeader | null = null
  for await (const piece of readBackup(saved())) {
    if (piece.kind === 'header') header = piece.header
    if (piece.kind === 'end' && header !== null) return { header, rows: piece.rows, bytes }
  }
  throw new BackupDamaged('is cut short')
}
