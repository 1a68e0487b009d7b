import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { privateFolder } from '../config/data-folder.ts'
import { systemClock } from '../platform/clock.ts'
import { InstanceLockedError, lockInstance } from '../platform/postgres/instance-lock.ts'

/** Folders of the workers in a data folder, each a data folder as that of a server alone. */
const foldersIn = (dataDir: string): string[] => {
  const folder = join(dataDir, 'workers')
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

export const workerFolder = (dataDir: string, number: number): string =>
  join(dataDir, 'workers', String(number))

const patienceMs = 10_000
const everyMs = 50

/** Waits for workers whose supervisor was killed: they end by themselves. Throws when one still has its folder. */
export async function untilWorkersEnded(dataDir: string): Promise<void> {
  const endsAt = systemClock.monotonic() + patienceMs
  for (const folder of foldersIn(dataDir)) {
    while (!isFree(folder, systemClock.monotonic() >= endsAt)) await Bun.sleep(everyMs)
  }
}

function isFree(folder: string, isLate: boolean): boolean {
  try {
    lockInstance(folder).release()
    return true
  } catch (error) {
    if (!(error instanceof InstanceLockedError) || isLate) throw error
    return false
  }
}

/** Folders with counts that a process may leave when it is killed. */
const counted = ['usage', 'tool-usage']

/**
 * Moves what the process of a data folder takes over from the folders of those that do not run any more: the number of workers
 * may be another one than before. All counts, and the requests of folders that nobody of `running` has. Call under the lock
 * of `dataDir`, before anybody counts.
 */
export function gatherLeft(dataDir: string, into: string, running: readonly string[] = [into]): void {
  const others = [dataDir, ...foldersIn(dataDir)].filter((from) => from !== into)
  for (const from of others) {
    for (const name of counted)
      moveFiles(join(privateFolder(from), name), join(privateFolder(into), name), (file) =>
        file.endsWith('.usage'),
      )
    if (!running.includes(from)) moveRequests(from, into)
  }
}

const requestsOf = (folder: string): string => join(privateFolder(folder), 'requests')

function moveRequests(from: string, into: string): void {
  const accounts = existsSync(requestsOf(from)) ? readdirSync(requestsOf(from), { withFileTypes: true }) : []
  for (const { name } of accounts.filter((entry) => entry.isDirectory()))
    moveFiles(join(requestsOf(from), name), join(requestsOf(into), name))
}

/** A file whose name is taken stays where it is. */
function moveFiles(from: string, to: string, isMoved: (file: string) => boolean = () => true): void {
  const files = existsSync(from) ? readdirSync(from).filter(isMoved) : []
  if (files.length === 0) return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const file of files) if (!existsSync(join(to, file))) renameSync(join(from, file), join(to, file))
}
