import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { LaneLife, WindowStorage } from '../../limits/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import { capacityFor } from './lane-layout.ts'
import { type LaneFile, openLaneFile, type Region } from './lane-file.ts'

/** Lanes in mapped files: what limits count outlives the process, however it ends. */
export interface MappedLanes extends WindowStorage {
  /** Where the clock of the limits goes on, in microseconds: behind everything that earlier processes counted. */
  readonly originMicros: number
}

export interface MappedLanesOptions {
  readonly folder: string
  /** How long the lanes of such a name count; null: they are none of the limits'. */
  readonly lifeOf: (name: string, lanes: Float64Array) => LaneLife | null
  readonly clock: Clock
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
  const { folder, lifeOf, clock, refused } = options
  const files = lanePathsIn(folder).map(openLaneFile)
  const inUse = new Map<Float64Array, Region>()
  const left = new Map<string, Region>()
  const lives = new Map<string, LaneLife>()
  const clockMicros = Math.floor((clock.now() - clock.monotonic()) * 1_000)
  for (const region of files.flatMap((file) => file.left)) {
    makePlausible(region.lanes)
    const life = lifeOf(region.name, region.lanes)
    if (life === null) region.free()
    else {
      left.set(region.name, region)
      lives.set(region.name, life)
    }
  }
  const originMicros = [...lives.values()].reduce(
    (origin, { latest }) => Math.max(origin, latest),
    clockMicros,
  )

  /** Windows of keys that are not used any more, once they are empty. True where there were some. */
  function freeEnded(): boolean {
    const now = originMicros + clock.monotonic() * 1_000
    const before = left.size
    for (const [name, region] of left) {
      if ((lives.get(name)?.endsAt ?? 0) > now) continue
      region.free()
      left.delete(name)
      lives.delete(name)
    }
    return left.size < before
  }

  function allocateNew(name: string, count: number): Region | null {
    const capacity = capacityFor(count)
    if (capacity === null) throw new RangeError(`no window has ${count} lanes`)
    const inFiles = () => {
      for (const file of files) {
        const region = file.allocate(name, count, capacity)
        if (region !== null) return region
      }
      return null
    }
    return inFiles() ?? openOneMore()?.allocate(name, count, capacity) ?? (freeEnded() ? inFiles() : null)
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
    lives.delete(name)
    if (region.lanes.length === count) return region
    region.free()
    return null
  }

  return {
    originMicros,
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

const lanePathsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((entry) => entry.endsWith(fileEnding))
    .toSorted()
    .map((entry) => join(folder, entry))

/** A power cut may leave pages of different times, but no count is negative or no number. */
function makePlausible(lanes: Float64Array): void {
  for (const [lane, value] of lanes.entries()) {
    if (!Number.isSafeInteger(value) || value < 0) lanes[lane] = 0
  }
}
