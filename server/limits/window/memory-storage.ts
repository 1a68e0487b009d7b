/** Where windows keep their state. Lanes are numbers of 8 bytes. */
export interface WindowStorage {
  /** Lanes for a new window: all zero, or as an earlier process left them under that name; null: there is no room. */
  allocate(name: string, count: number): Float64Array | null
  /** The window is empty and nobody holds its lanes any more. */
  release(name: string, cells: Float64Array): void
}

/** 128 MB: two limits of more than 1,024 units for 130,000 keys, or of 100 units for 80,000. */
const defaultMaxLanes = 16 * 1024 * 1024

/** In memory, at most so many lanes in all. */
export function createMemoryWindowStorage(maxLanes: number = defaultMaxLanes): WindowStorage {
  let allocated = 0
  return {
    allocate(_name, count) {
      if (allocated + count > maxLanes) return null
      allocated += count
      return new Float64Array(count)
    },
    release(_name, cells) {
      allocated -= cells.length
    },
  }
}
