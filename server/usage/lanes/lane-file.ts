import { existsSync, statSync } from 'node:fs'

import { allocate } from '../counting/counter-file.ts'
import {
  laneFileBytes,
  laneHeaderBytes,
  laneMagic,
  maxRegionNameBytes,
  regionBytes,
  regionHeaderBytes,
  regionNameAt,
  regionState,
  regionWord,
} from './lane-layout.ts'

export interface Region {
  readonly name: string
  readonly capacity: number
  readonly lanes: Float64Array
  /** Gives the lanes up: nobody finds them by their name any more. */
  free(): void
}

/** Regions of lanes in one mapped file. */
export interface LaneFile {
  /** Those that an earlier process left in use. */
  readonly left: readonly Region[]
  /** All zero; null: there is no room. */
  allocate(name: string, lanes: number, capacity: number): Region | null
}

/** Opens or makes the file. @throws what the file system says, ENOSPC above all. */
export function openLaneFile(path: string): LaneFile {
  if (!existsSync(path) || statSync(path).size !== laneFileBytes) allocate(path, laneFileBytes)
  const bytes = Bun.mmap(path, { shared: true })
  const view = {
    bytes,
    at: (from: number, words: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + from, words),
  }
  const magic = view.at(0, 1)
  // Of another layout, or a process was killed while it made the file.
  if (magic[0] !== laneMagic) bytes.fill(0)
  Atomics.store(magic, 0, laneMagic)
  return regionsIn(bytes)
}

function regionsIn(bytes: Uint8Array): LaneFile {
  const freeByCapacity = new Map<number, number[]>()
  const left: Region[] = []
  let end = laneHeaderBytes

  const headerAt = (at: number): Uint32Array => new Uint32Array(bytes.buffer, bytes.byteOffset + at, 4)

  function regionAt(at: number, name: string): Region {
    const header = headerAt(at)
    const [capacity, lanes] = [header[regionWord.capacity] ?? 0, header[regionWord.used] ?? 0]
    return {
      name,
      capacity,
      lanes: new Float64Array(bytes.buffer, bytes.byteOffset + at + regionHeaderBytes, lanes),
      free() {
        Atomics.store(header, regionWord.state, regionState.free)
        keepFree(at, capacity)
      },
    }
  }

  function keepFree(at: number, capacity: number): void {
    const free = freeByCapacity.get(capacity)
    if (free === undefined) freeByCapacity.set(capacity, [at])
    else free.push(at)
  }

  function readLeft(): void {
    while (end + regionHeaderBytes <= bytes.length) {
      const header = headerAt(end)
      const [capacity = 0, lanes = 0, nameBytes = 0, state = 0] = header
      const next = end + regionBytes(capacity)
      // The first region that was never finished is where the next one will be.
      if (capacity === 0 || next > bytes.length) return
      if (state === regionState.used && lanes <= capacity && nameBytes <= maxRegionNameBytes) {
        const name = bytes.subarray(end + regionNameAt, end + regionNameAt + nameBytes)
        left.push(regionAt(end, new TextDecoder().decode(name)))
      } else keepFree(end, capacity)
      end = next
    }
  }

  function placeFor(capacity: number): number | null {
    const free = freeByCapacity.get(capacity)?.pop()
    if (free !== undefined) return free
    const at = end
    if (at + regionBytes(capacity) > bytes.length) return null
    end = at + regionBytes(capacity)
    return at
  }

  readLeft()
  return {
    left,
    allocate(name, lanes, capacity) {
      const encoded = new TextEncoder().encode(name)
      if (encoded.length > maxRegionNameBytes) throw new RangeError('the name of a region is too long')
      const at = placeFor(capacity)
      if (at === null) return null
      const header = headerAt(at)
      bytes.fill(0, at + regionHeaderBytes, at + regionBytes(capacity))
      bytes.set(encoded, at + regionNameAt)
      header[regionWord.used] = lanes
      header[regionWord.nameBytes] = encoded.length
      Atomics.store(header, regionWord.capacity, capacity)
      // Last: a process that is killed before leaves a free region.
      Atomics.store(header, regionWord.state, regionState.used)
      return regionAt(at, name)
    },
  }
}
