import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Log } from '../../platform/log.ts'
import { readLeftFile, settledByEnd } from '../counting/read-slot.ts'
import type { UsageStore } from '../store.ts'

/**
 * The files that an earlier process left because it was killed, or because the database was away when it stopped.
 */
export interface Orphans {
  count(): number
  /**
   * Writes what they hold and removes them; calls that were under way become errors that cost nothing. Rejects when the database does not answer; nothing is lost then.
   */
  adopt(): Promise<void>
}

const fileEnding = '.usage'
const rowsPerWrite = 5_000

/** Finds orphaned files. Called while the lock is held and before this process creates a file. */
export function findOrphans(folder: string, store: UsageStore, log: Log): Orphans {
  const waiting = readdirSync(folder)
    .filter((name) => name.endsWith(fileEnding))
    .map((name) => join(folder, name))
  const writers = new Set<string>()

  async function adoptFile(path: string): Promise<void> {
    const left = readLeftFile(new Uint8Array(readFileSync(path)))
    if (left === null) return
    const { writer, slots, damaged } = left
    for (let from = 0; from < slots.length; from += rowsPerWrite) {
      await store.write(writer, slots.slice(from, from + rowsPerWrite).map(settledByEnd))
    }
    writers.add(writer)
    if (damaged > 0) log.error('counts of an earlier process were damaged by a power cut', { slots: damaged })
    log.info('counts of an earlier process were taken over', { slots: slots.length })
  }

  return {
    count: () => waiting.length,
    async adopt() {
      if (waiting.length === 0) return
      for (const path of waiting) await adoptFile(path)
      // Before the files go: what is in none of them any more must not be written a second time.
      for (const writer of writers) await store.close(writer, null)
      for (const path of waiting.splice(0)) rmSync(path, { force: true })
    },
  }
}
