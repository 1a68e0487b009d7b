import { join } from 'node:path'

import { type CounterFile, createCounterFile } from './counter-file.ts'
import { placeOf, slotIn, slotsPerFile, slotWords, word } from './slot-layout.ts'
import { keyNameOf, readCounts, type SlotCounts, type SlotName } from './read-slot.ts'

/** The mapped files of this process. One number identifies a slot over all of them. */
export interface CounterFiles {
  readonly writer: string
  fileOf(slotId: number): CounterFile
  read(slotId: number): CountedSlot
  /**
   * Allocates the next file before it is needed, so that calls go on when the disk becomes full. Where there is no room
   * now, nothing is said: it matters when a call needs it.
   */
  allocateAhead(): void
  /** Adds a slot to the newest file, or to the next one. Returns its number, or null when there is no room. */
  addSlot(key: CountedKey, method: string, minute: number): number | null
  /** Removes all files whose minutes are all before this one, except the newest file. */
  removeBefore(minute: number): void
  count(): number
  /** Returns the slots with calls that have not ended. */
  openSlots(): CountedSlot[]
  sync(): Promise<void>
  removeAll(): void
}

/** A key that is counted. Its name is written once into each file. */
export interface CountedKey {
  readonly id: string
  readonly accountId: string
  readonly endpoint: string
  /** The newest file that contains its name, by its number in the life of this process; 0 for none. */
  namedInFile: number
  nameAt: number
}

export type CountedSlot = SlotName & SlotCounts

export interface CounterFilesOptions {
  readonly folder: string
  readonly writer: string
  readonly maxFiles: number
  /** Called when there is no room for the slot of a call. */
  readonly refused: (error: unknown) => void
  /** Returns monotonic ms. */
  readonly now: () => number
}

interface Placed {
  readonly file: CounterFile
  /** The number of the file in the life of this process, from 1. */
  readonly sequence: number
  readonly keys: Map<number, CountedKey>
  readonly methods: Map<number, string>
  readonly methodPlaces: Map<string, number>
  newestMinute: number
}

interface OpenFile {
  readonly placed: Placed
  readonly place: number
}

/** The pause after a full disk, because an attempt writes megabytes. */
const retryMs = 1_000
const retryAheadMs = 10_000

export function createCounterFiles(options: CounterFilesOptions): CounterFiles {
  const { folder, writer, maxFiles, refused, now } = options
  const places: (Placed | undefined)[] = []
  let newest: OpenFile | null = null
  /** The one after the newest, empty. */
  let next: OpenFile | null = null
  let made = 0
  let nextTryAt = 0
  let nextTryAheadAt = 0

  /** Throws what the file system says. */
  function create(): OpenFile | null {
    const free = places.findIndex((placed) => placed === undefined)
    const place = free === -1 ? places.length : free
    if (place >= maxFiles) return null
    const file = createCounterFile(join(folder, `${writer}-${made + 1}.usage`), writer)
    made++
    const placed = placedOf(file, made)
    places[place] = placed
    return { placed, place }
  }

  function takeNext(): OpenFile | null {
    if (next !== null) {
      const taken = next
      next = null
      return taken
    }
    if (now() < nextTryAt) return null
    try {
      return create()
    } catch (error) {
      nextTryAt = now() + retryMs
      refused(error)
      return null
    }
  }

  function addTo(placed: Placed, key: CountedKey, method: string, minute: number): number | null {
    if (key.namedInFile !== placed.sequence) {
      const at = placed.file.addName(keyNameOf(key.accountId, key.id, key.endpoint))
      if (at === null) return null
      key.namedInFile = placed.sequence
      key.nameAt = at
      placed.keys.set(at, key)
    }
    const methodAt = placed.methodPlaces.get(method) ?? placed.file.addName(method)
    if (methodAt === null) return null
    placed.methodPlaces.set(method, methodAt)
    placed.methods.set(methodAt, method)
    const slot = placed.file.addSlot(key.nameAt, methodAt, minute)
    if (slot !== null) placed.newestMinute = Math.max(placed.newestMinute, minute)
    return slot
  }

  function placedAt(slotId: number): Placed {
    const placed = places[placeOf(slotId)]
    if (placed === undefined) throw new RangeError('a slot of a file that is gone')
    return placed
  }

  const all = (): Placed[] => places.filter((placed) => placed !== undefined)

  return {
    writer,
    fileOf: (slotId) => placedAt(slotId).file,
    read: (slotId) => readPlaced(placedAt(slotId), slotIn(slotId)),
    allocateAhead() {
      const isNeeded = newest === null || newest.placed.file.usedSlots() > slotsPerFile / 2
      if (next !== null || !isNeeded || now() < nextTryAheadAt) return
      try {
        next = create()
      } catch {
        nextTryAheadAt = now() + retryAheadMs
      }
    },
    addSlot(key, method, minute) {
      newest ??= takeNext()
      let slot = newest === null ? null : addTo(newest.placed, key, method, minute)
      if (slot === null) {
        // Where no further file can be made, the full one stays the newest and is tried again.
        const further = takeNext()
        if (further === null) return null
        newest = further
        slot = addTo(further.placed, key, method, minute)
      }
      return newest === null || slot === null ? null : newest.place * slotsPerFile + slot
    },
    removeBefore(minute) {
      for (const [place, placed] of places.entries()) {
        const isInUse = placed === newest?.placed || placed === next?.placed
        if (placed === undefined || isInUse || placed.newestMinute >= minute) continue
        placed.file.remove()
        places[place] = undefined
      }
    },
    count: () => all().length,
    openSlots: () => all().flatMap(openSlotsOf),
    async sync() {
      await Promise.all(all().map(({ file }) => file.sync()))
    },
    removeAll() {
      for (const { file } of all()) file.remove()
      places.length = 0
      newest = null
      next = null
    },
  }
}

const placedOf = (file: CounterFile, sequence: number): Placed => ({
  file,
  sequence,
  keys: new Map(),
  methods: new Map(),
  methodPlaces: new Map(),
  newestMinute: 0,
})

function openSlotsOf(placed: Placed): CountedSlot[] {
  const { words, usedSlots } = placed.file
  const open: CountedSlot[] = []
  for (let slot = 0; slot < usedSlots(); slot++) {
    const counted = (at: number): number => words[slot * slotWords + at] ?? 0
    if (counted(word.requests) > counted(word.ok) + counted(word.errors)) open.push(readPlaced(placed, slot))
  }
  return open
}

function readPlaced({ file, keys, methods }: Placed, slot: number): CountedSlot {
  const key = keys.get(file.words[slot * slotWords + word.keyName] ?? 0)
  const method = methods.get(file.words[slot * slotWords + word.methodName] ?? 0)
  if (key === undefined || method === undefined) throw new RangeError('a slot without a name')
  const { id: keyId, accountId, endpoint } = key
  return { accountId, keyId, endpoint, method, ...readCounts(file, slot) }
}
