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
 * Moves counts that were left in the folders of workers, or of a server alone, to one data folder, whose process takes them
 * over: the number of workers may be another one than before. Call under the lock of `dataDir`, before anybody counts.
 */
export function gatherCounts(dataDir: string, into: string): void {
  for (const from of [dataDir, ...foldersIn(dataDir)]) {
    if (from === into) continue
    for (const name of counted) moveCounts(join(privateFolder(from), name), join(privateFolder(into), name))
  }
}

function moveCounts(from: string, to: string): void {
  const files = existsSync(from) ? readdirSync(from).filter((file) => file.endsWith('.usage')) : []
  if (files.length === 0) return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const file of files) renameSync(join(from, file), join(to, file))
}
