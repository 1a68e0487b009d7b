import type { Limit, LimitName } from '../../../shared/limits.ts'
import type { Clock } from '../../platform/clock.ts'

/** Identifies the window of one limit of one key. A changed limit has another window. */
export interface WindowKey {
  readonly keyId: string
  readonly name: LimitName
  readonly limit: Limit
}

/** The storage of window states. A state is an array of cells, numbers of 8 bytes. */
export interface WindowStorage {
  /** The instant at which the clock of the windows continues, in µs: at or after everything that they counted. */
  readonly originMicros: number
  /** Returns the cells of a window: all zero, or as an earlier process left them; null when there is no room. */
  allocate(key: WindowKey, cells: number): Float64Array | null
  /** Frees the cells of an empty window that nobody uses any more. */
  release(cells: Float64Array): void
}

/**
 * Returns the instant, in whole µs, to which windows that outlive a process add the monotonic time: the wall-clock time at
 * which that was 0, so that the time without a process has passed for them too. When the wall clock was set back meanwhile,
 * they continue from the latest instant that they kept, and limits are stricter for the length of that step.
 */
export const originMicrosOf = (clock: Clock, latest: readonly number[]): number =>
  latest.reduce(
    (origin, instant) => Math.max(origin, instant),
    Math.floor((clock.now() - clock.monotonic()) * 1_000),
  )

/** Allows 128 MB: two limits of more than 1,024 units for 130,000 keys, or of 100 units for 80,000. */
const defaultMaxCells = 16 * 1024 * 1024

/** Returns a storage in memory that holds at most so many cells. */
export function createMemoryWindowStorage(maxCells: number = defaultMaxCells): WindowStorage {
  let allocated = 0
  return {
    originMicros: 0,
    allocate(_key, cells) {
      if (allocated + cells > maxCells) return null
      allocated += cells
      return new Float64Array(cells)
    },
    release(cells) {
      allocated -= cells.length
    },
  }
}
