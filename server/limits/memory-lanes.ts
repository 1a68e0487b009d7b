/** Where windows keep their state. Lanes are numbers of 8 bytes. */
export interface LaneStore {
  /** Lanes for a new window: all zero, or as an earlier process left them under that name; null: there is no room. */
  allocate(name: string, count: number): Float64Array | null
  /** The window is empty and nobody holds its lanes any more. */
  release(name: string, lanes: Float64Array): void
}

/** In memory, at most so many lanes in all. */
export function createMemoryLanes(maxLanes: number): LaneStore {
  let allocated = 0
  return {
    allocate(_name, count) {
      if (allocated + count > maxLanes) return null
      allocated += count
      return new Float64Array(count)
    },
    release(_name, lanes) {
      allocated -= lanes.length
    },
  }
}
