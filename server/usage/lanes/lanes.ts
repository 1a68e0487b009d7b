import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { LaneStore } from '../../limits/limits.ts'
import { capacityFor } from './lane-layout.ts'
import { type LaneFile, openLaneFile, type Region } from './lane-file.ts'

/** Lanes in mapped files: what limits count outlives the process, however it ends. */
export interface MappedLanes extends LaneStore {
  /** Where the clock of the limits goes on, in microseconds: behind everything that earlier processes counted. */
  readonly originMicros: number
}

export interface MappedLanesOptions {
  readonly folder: string
  /** The latest instant, in microseconds, that lanes of this name have counted at. */
  readonly latestInstantOf: (name: string, lanes: Float64Array) => number
  /** Epoch ms, and monotonic ms at the same moment. */
  readonly now: { readonly epochMs: number; readonly monotonicMs: number }
  /** A file could not be made. */
  readonly refused: (error: unknown) => void
}

/** 128 MB, made 8 MB at a time as they are needed. */
const maxFiles = 16
const fileEnding = '.lanes'

/**
 * Instants of the limits are wall-clock time at the start plus monotonic time since: so the time in which no process
 * ran has passed for the windows, too. Where the wall clock was set back meanwhile, they go on from their latest instant
 * instead, and limits are stricter for as long as the step.
 */
export function createMappedLanes(options: MappedLanesOptions): MappedLanes {
  const { folder, latestInstantOf, now, refused } = options
  const files: LaneFile[] = []
  const left = new Map<string, Region>()
  const inUse = new Map<Float64Array, Region>()
  for (const name of readdirSync(folder)
    .filter((entry) => entry.endsWith(fileEnding))
    .toSorted()) {
    files.push(openLaneFile(join(folder, name)))
  }
  for (const region of files.flatMap((file) => file.left)) {
    makePlausible(region.lanes)
    left.set(region.name, region)
  }
  const latest = [...left.values()].map(({ name, lanes }) => latestInstantOf(name, lanes))
  const clockMicros = Math.floor((now.epochMs - now.monotonicMs) * 1_000)

  function allocateNew(name: string, count: number): Region | null {
    const capacity = capacityFor(count)
    if (capacity === null) throw new RangeError(`no window has ${count} lanes`)
    for (const file of files) {
      const region = file.allocate(name, count, capacity)
      if (region !== null) return region
    }
    return openOneMore()?.allocate(name, count, capacity) ?? null
  }

  function openOneMore(): LaneFile | null {
    if (files.length >= maxFiles) return null
    try {
      const file = openLaneFile(join(folder, `${String(files.length).padStart(2, '0')}${fileEnding}`))
      files.push(file)
      return file
    } catch (error) {
      refused(error)
      return null
    }
  }

  /** What an earlier process left under this name, unless it is of another length. */
  function takeLeft(name: string, count: number): Region | null {
    const region = left.get(name)
    if (region === undefined) return null
    left.delete(name)
    if (region.lanes.length === count) return region
    region.free()
    return null
  }

  return {
    originMicros: latest.reduce((origin, instant) => Math.max(origin, instant), clockMicros),
    allocate(name, count) {
      const region = takeLeft(name, count) ?? allocateNew(name, count)
      if (region === null) return null
      inUse.set(region.lanes, region)
      return region.lanes
    },
    release(_name, lanes) {
      const region = inUse.get(lanes)
      if (region === undefined) throw new RangeError('lanes that were not allocated here')
      inUse.delete(lanes)
      region.free()
    },
  }
}

/** A power cut may leave pages of different times, but no count is negative or no number. */
function makePlausible(lanes: Float64Array): void {
  for (const [lane, value] of lanes.entries()) {
    if (!Number.isSafeInteger(value) || value < 0) lanes[lane] = 0
  }
}
