import { Database } from 'bun:sqlite'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage } from '../error-message.ts'

/** Another process holds the data folder. The message is one sentence, ready to be printed. */
export class InstanceLockedError extends Error {
  override readonly name = 'InstanceLockedError'
}

export interface InstanceLock {
  release(): void
}

/**
 * SQLite closes a database that is garbage collected, and its lock goes with it:
 * this keeps the lock for callers who drop what `lockInstance` returned.
 */
const held = new Set<Database>()

/**
 * Takes the exclusive lock on a data folder (creating the folder) for the life of this process.
 * `name` tells apart several locks of one folder.
 *
 * The lock is SQLite's exclusive lock on an empty file: a POSIX record lock (sqlite.org/lockingv3.html).
 * The kernel grants it to one process and drops it when that process dies, however it dies. So there is no
 * stale lock to recognise, which pid files get wrong (two starters both replace the stale file; the pid has
 * been given to another process), and it holds between containers that share a volume, where pids say nothing.
 * The pid file beside it only serves the message.
 *
 * @throws InstanceLockedError when another process, or another caller in this one, holds it.
 */
export function lockInstance(dataDir: string, name = 'instance'): InstanceLock {
  makeFolder(dataDir)
  const pidFile = join(dataDir, `${name}.pid`)
  const lockPath = join(dataDir, `${name}.lock`)
  const lockFile = openLockFile(dataDir, lockPath)
  try {
    lockFile.run('PRAGMA busy_timeout = 0')
    lockFile.run('PRAGMA journal_mode = MEMORY')
    lockFile.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lockFile.close()
    if (isBusy(error)) throw new InstanceLockedError(describeHolder(dataDir, pidFile))
    throw cannotLock(dataDir, lockPath, error)
  }
  held.add(lockFile)
  // By name, not while they are made: SQLite makes one of them, and the other may be left from before. To open the
  // lock's file once more would drop the lock, as closing any descriptor of a file does.
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  for (const path of [pidFile, lockPath]) chmodSync(path, 0o600)

  const release = (): void => {
    if (!held.delete(lockFile)) return
    rmSync(pidFile, { force: true })
    lockFile.close()
  }
  return { release }
}

function makeFolder(dataDir: string): void {
  try {
    // 0711: the embedded database, which cannot run as root, must be able to pass through.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  } catch (error) {
    const reason = errorMessage(error)
    throw new Error(
      `the data folder ${dataDir} cannot be made (${reason}); name another by GATEHOUSE_DATA_DIR`,
      {
        cause: error,
      },
    )
  }
}

function openLockFile(dataDir: string, lockPath: string): Database {
  try {
    return new Database(lockPath, { create: true, readwrite: true })
  } catch (error) {
    throw cannotLock(dataDir, lockPath, error)
  }
}

/** Of two users the second is nearly always the mistake: a server that was once started as root, or from a shell. */
function cannotLock(dataDir: string, lockPath: string, error: unknown): Error {
  const user = process.geteuid?.() ?? 0
  const owner = [dataDir, lockPath].map(ownerOf).find((one) => one !== null && one !== user)
  const reason =
    user === 0 || owner === undefined
      ? `cannot lock the data folder ${dataDir}: ${errorMessage(error)}`
      : `the data folder ${dataDir} belongs to another user (id ${owner}, while this is ${user}); run this as that user`
  return new Error(reason, { cause: error })
}

/** Null where there is no such file, or it cannot be looked at. */
function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid
  } catch {
    return null
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

function describeHolder(dataDir: string, pidFile: string): string {
  const pid = readPid(pidFile)
  const holder = pid === null ? 'another Gatehouse' : `another Gatehouse (pid ${pid})`
  return `${holder} already uses the data folder ${dataDir}`
}

/** Null in the instant between the holder's lock and its pid file. */
function readPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    return Number.isSafeInteger(pid) ? pid : null
  } catch {
    return null
  }
}
