import { existsSync, statSync } from 'node:fs'

import { limitNames } from '../../../shared/limits.ts'
import { Period, periods } from '../../../shared/periods.ts'
import { createAllocatedFile } from '../../platform/allocated-file.ts'
import type { WindowKey } from '../window/window-storage.ts'
import {
  fileHeaderBytes,
  fileMagic,
  limitNameCodes,
  maxKeyIdBytes,
  maxLegacyNameBytes,
  periodCodes,
  regionBytes,
  regionHeaderBytes,
  regionState,
  regionUnits,
  regionWord,
  textByteOf,
  windowFileBytes,
} from './window-layout.ts'

/** The place of one window in a file. */
export interface WindowRegion {
  readonly window: WindowKey
  readonly cells: Float64Array
  /** Frees the place for another window. */
  free(): void
}

/** The windows in one mapped file. */
export interface WindowFile {
  /** The windows that an earlier process left. */
  readonly orphans: readonly WindowRegion[]
  /** Returns a region whose cells are all zero, or null when the file is full. */
  allocate(window: WindowKey, cells: number, capacity: number): WindowRegion | null
}

/** Opens a file, and creates it if necessary. Throws what the file system says, ENOSPC above all. */
export function openWindowFile(path: string): WindowFile {
  if (!existsSync(path) || statSync(path).size !== windowFileBytes) createAllocatedFile(path, windowFileBytes)
  const bytes = Bun.mmap(path, { shared: true })
  const magic = new Uint32Array(bytes.buffer, bytes.byteOffset, 1)
  // The file has another layout, or its process was killed while creating it.
  if (magic[0] !== fileMagic) bytes.fill(0)
  Atomics.store(magic, 0, fileMagic)
  return regionsIn(bytes)
}

function regionsIn(bytes: Uint8Array): WindowFile {
  const freeByCapacity = new Map<number, number[]>()
  const orphans: WindowRegion[] = []
  let end = fileHeaderBytes

  const wordsAt = (at: number): Uint32Array => new Uint32Array(bytes.buffer, bytes.byteOffset + at, 6)
  const numbersAt = (at: number): Float64Array => new Float64Array(bytes.buffer, bytes.byteOffset + at, 4)

  function regionAt(at: number, window: WindowKey): WindowRegion {
    const words = wordsAt(at)
    const [capacity = 0, cells = 0] = words
    return {
      window,
      cells: new Float64Array(bytes.buffer, bytes.byteOffset + at + regionHeaderBytes, cells),
      free() {
        Atomics.store(words, regionWord.state, regionState.free)
        addFree(at, capacity)
      },
    }
  }

  function addFree(at: number, capacity: number): void {
    const free = freeByCapacity.get(capacity)
    if (free === undefined) freeByCapacity.set(capacity, [at])
    else free.push(at)
  }

  /** Returns the window that a region holds, or null when the region is free or damaged. */
  function windowAt(at: number): WindowKey | null {
    const [capacity = 0, cells = 0, textBytes = 0, state = 0, limitName = 0, period = 0] = wordsAt(at)
    if (cells > capacity) return null
    const from = at + textByteOf(state)
    const text = new TextDecoder().decode(
      bytes.subarray(from, from + Math.min(textBytes, maxLegacyNameBytes)),
    )
    if (state === regionState.legacy) return textBytes > maxLegacyNameBytes ? null : windowOfLegacyName(text)
    const name = limitNames.find((one) => limitNameCodes[one] === limitName)
    const knownPeriod = periods.find((one) => periodCodes[one] === period)
    const units = numbersAt(at)[regionUnits] ?? 0
    const isWhole = state === regionState.used && textBytes <= maxKeyIdBytes && Number.isSafeInteger(units)
    if (!isWhole || units < 1 || name === undefined || knownPeriod === undefined) return null
    return { keyId: text, name, limit: { units, period: knownPeriod } }
  }

  function readOrphans(): void {
    while (end + regionHeaderBytes <= bytes.length) {
      const capacity = wordsAt(end)[regionWord.capacity] ?? 0
      const next = end + regionBytes(capacity)
      // The first region that was never finished is where the next one will be written.
      if (capacity === 0 || next > bytes.length) return
      const window = windowAt(end)
      if (window === null) addFree(end, capacity)
      else orphans.push(regionAt(end, window))
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

  readOrphans()
  return {
    orphans,
    allocate(window, cells, capacity) {
      const keyId = new TextEncoder().encode(window.keyId)
      if (keyId.length > maxKeyIdBytes) throw new RangeError('the id of a key is too long')
      const at = placeFor(capacity)
      if (at === null) return null
      const words = wordsAt(at)
      bytes.fill(0, at + regionHeaderBytes, at + regionBytes(capacity))
      bytes.set(keyId, at + textByteOf(regionState.used))
      words[regionWord.cells] = cells
      words[regionWord.textBytes] = keyId.length
      words[regionWord.limitName] = limitNameCodes[window.name]
      words[regionWord.period] = periodCodes[window.limit.period]
      numbersAt(at)[regionUnits] = window.limit.units
      Atomics.store(words, regionWord.capacity, capacity)
      // The state is written last: a process that is killed before leaves a free region.
      Atomics.store(words, regionWord.state, regionState.used)
      return regionAt(at, window)
    },
  }
}

/** Version 0.1.0 named windows by a text such as `key_1 rate 100/minute`. */
const legacyName = /^(?<keyId>.+) (?<name>rate|credits) (?<units>\d+)\/(?<period>[a-z]+)$/

function windowOfLegacyName(text: string): WindowKey | null {
  const { keyId, name, units, period } = legacyName.exec(text)?.groups ?? {}
  const known = Period.safeParse(period)
  const limitName = limitNames.find((one) => one === name)
  if (keyId === undefined || limitName === undefined || !known.success) return null
  return { keyId, name: limitName, limit: { units: Number(units), period: known.data } }
}
