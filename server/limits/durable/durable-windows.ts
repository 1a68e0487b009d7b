import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { secondMs } from '../../../shared/durations.ts'
import { periodMs } from '../../../shared/periods.ts'
import type { Clock } from '../../platform/clock.ts'
import { type WindowKey, type WindowStorage, originMicrosOf } from '../window/window-storage.ts'
import { cellsFor, latestInstantOf, windowOver } from '../window/window.ts'
import { type WindowFile, type WindowRegion, openWindowFile } from './window-file.ts'
import { capacityFor } from './window-layout.ts'

export interface DurableWindowsOptions {
  /** The folder of the files, which no other process may use. */
  readonly folder: string
  readonly clock: Clock
  /** Called when a file could not be created, which is tried again after ten seconds at the earliest. */
  readonly refused: (error: unknown) => void
  /** How many files there may be, of 8 MB each. By default 64. */
  readonly maxFiles?: number
}

/** A window that an earlier process left, until its key is used again or it ends. Instants are in µs. */
interface OrphanedWindow {
  readonly region: WindowRegion
  /** The latest instant at which something was counted. */
  readonly latest: number
  /** The instant from which on the window is empty. */
  readonly endsAt: number
}

/**
 * Allows 512 MB, created 8 MB at a time as they are needed: about 64,000 limits of 513 to 1,024 units, whose windows are the
 * largest. They may all be in memory, so that more would not suit a small server.
 */
const defaultMaxFiles = 64
/** A disk that is full stays so for a while, and every call of a new key would try it. */
const retryCreationAfterMs = 10 * secondMs
const fileEnding = '.windows'
/** The ending of files that version 0.1.0 created. Their windows are continued in place. */
const legacyFileEnding = '.lanes'

/** Opens a storage of windows in mapped files: what the limits count outlives the process, however it ends. */
export function openDurableWindows(options: DurableWindowsOptions): WindowStorage {
  const { folder, clock, refused, maxFiles = defaultMaxFiles } = options
  const files = pathsIn(folder).map(openWindowFile)
  const inUse = new Map<Float64Array, WindowRegion>()
  const orphans = new Map<string, OrphanedWindow>()
  for (const region of files.flatMap((file) => file.orphans)) {
    dropImplausible(region.cells)
    const orphan = orphanOf(region)
    if (orphan === null) region.free()
    else orphans.set(textOf(region.window), orphan)
  }
  const originMicros = originMicrosOf(
    clock,
    [...orphans.values()].map(({ latest }) => latest),
  )
  let nextCreationAt = 0

  /** Frees orphaned windows that have ended. Returns true when there were some. */
  function freeEnded(): boolean {
    const now = originMicros + clock.monotonic() * 1_000
    const before = orphans.size
    for (const [text, { region, endsAt }] of orphans) {
      if (endsAt > now) continue
      region.free()
      orphans.delete(text)
    }
    return orphans.size < before
  }

  function allocateNew(key: WindowKey, cells: number): WindowRegion | null {
    const capacity = capacityFor(cells)
    if (capacity === null) throw new RangeError(`no window has ${cells} cells`)
    const inFiles = () => {
      for (const file of files) {
        const region = file.allocate(key, cells, capacity)
        if (region !== null) return region
      }
      return null
    }
    return inFiles() ?? openOneMore()?.allocate(key, cells, capacity) ?? (freeEnded() ? inFiles() : null)
  }

  function openOneMore(): WindowFile | null {
    if (files.length >= maxFiles || clock.monotonic() < nextCreationAt) return null
    try {
      const file = openWindowFile(join(folder, `${String(files.length).padStart(2, '0')}${fileEnding}`))
      files.push(file)
      return file
    } catch (error) {
      nextCreationAt = clock.monotonic() + retryCreationAfterMs
      refused(error)
      return null
    }
  }

  function takeOrphan(key: WindowKey): WindowRegion | null {
    const orphan = orphans.get(textOf(key))
    if (orphan === undefined) return null
    orphans.delete(textOf(key))
    return orphan.region
  }

  return {
    originMicros,
    allocate(key, cells) {
      const region = takeOrphan(key) ?? allocateNew(key, cells)
      if (region === null) return null
      inUse.set(region.cells, region)
      return region.cells
    },
    release(cells) {
      const region = inUse.get(cells)
      if (region === undefined) throw new RangeError('cells that were not allocated here')
      inUse.delete(cells)
      region.free()
    },
  }
}

const pathsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((entry) => entry.endsWith(fileEnding) || entry.endsWith(legacyFileEnding))
    .toSorted()
    .map((entry) => join(folder, entry))

const textOf = ({ keyId, name, limit: { units, period } }: WindowKey): string =>
  `${keyId} ${name} ${units}/${period}`

/** Returns null when the cells are not those of the limit. */
function orphanOf(region: WindowRegion): OrphanedWindow | null {
  const { cells, window } = region
  const { limit } = window
  if (cells.length !== cellsFor(limit)) return null
  const left = windowOver(limit, cells)
  const latest = latestInstantOf(left)
  // A window of sub-buckets counts the oldest of them as a whole.
  return { region, latest, endsAt: latest + periodMs[limit.period] * 1_000 + 2 * left.bucketMicros }
}

/** Clears cells that are no counts: a power cut may leave pages of different times. */
function dropImplausible(cells: Float64Array): void {
  for (const [index, value] of cells.entries()) {
    if (!Number.isSafeInteger(value) || value < 0) cells[index] = 0
  }
}
