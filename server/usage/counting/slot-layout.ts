import { countLatency } from '../latency-histogram.ts'

/**
 * A slot of the mapped file: what one key called of one method in one minute. 152 bytes: four u32 (place of the key's
 * name, place of the method's name, minute, check) · six u32 (counts of calls, and how often the histogram was halved)
 * · four f64 (credits and bytes) · 64 u8 (the histogram of latencies) · two u32 (answers of the cache, calls that no
 * upstream answered) · an f64 (what was charged for calls that have ended). A slot of the layout before ended with the
 * histogram (`old-layout.ts`).
 */
export const slotBytes = 152

export const slotWords = slotBytes / 4
export const slotNumbers = slotBytes / 8

/** Indexes of u32 values in a slot. */
export const word = {
  keyName: 0,
  methodName: 1,
  minute: 2,
  check: 3,
  requests: 4,
  ok: 5,
  errors: 6,
  rateLimited: 7,
  creditLimited: 8,
  halvings: 9,
  cached: 34,
  unanswered: 35,
} as const

/** Indexes of f64 values in a slot. */
export const number = { credits: 5, creditsBack: 6, bytesIn: 7, bytesOut: 8, charged: 18 } as const

/** The place of the histogram's first byte in a slot. */
export const histogramByte = 72

/** How many calls of one slot ended how, and what they cost. */
export interface EndedCounts {
  calls: number
  results: number
  cached: number
  unanswered: number
  charged: number
  /** The credits returned; `charged` are those that were not. */
  back: number
}

/** What the calls of one slot had in common, and their share of what all of the request took. */
interface EndedTogether {
  readonly latencyClass: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** The counters of the slots of one file. */
interface SlotCounters {
  readonly words: Uint32Array
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
}

export function add(counters: Uint32Array | Float64Array, place: number, amount: number): void {
  counters[place] = (counters[place] ?? 0) + amount
}

/** Counts how calls ended, in their slot. */
export function addEnds(
  counters: SlotCounters,
  slot: number,
  ended: Readonly<EndedCounts>,
  { latencyClass, bytesIn, bytesOut }: EndedTogether,
): void {
  const { words, numbers } = counters
  add(numbers, slot * slotNumbers + number.creditsBack, ended.back)
  add(numbers, slot * slotNumbers + number.bytesOut, bytesOut)
  if (bytesIn > 0) add(numbers, slot * slotNumbers + number.bytesIn, bytesIn)
  if (ended.unanswered > 0) add(words, slot * slotWords + word.unanswered, ended.unanswered)
  if (ended.cached > 0) add(words, slot * slotWords + word.cached, ended.cached)
  countLatencies(counters, slot, latencyClass, ended.calls - ended.unanswered)
  // These last, and together: a kill must not part what calls were charged from their end.
  add(numbers, slot * slotNumbers + number.charged, ended.charged)
  add(words, slot * slotWords + word.ok, ended.results)
  add(words, slot * slotWords + word.errors, ended.calls - ended.results)
}

function countLatencies(
  { words, bytes }: SlotCounters,
  slot: number,
  latencyClass: number,
  count: number,
): void {
  const [ok, errors] = [words[slot * slotWords + word.ok] ?? 0, words[slot * slotWords + word.errors] ?? 0]
  let halvings = words[slot * slotWords + word.halvings] ?? 0
  for (let counted = 0; counted < count; counted++) {
    const before = { halvings, answers: ok + errors + counted }
    halvings = countLatency(bytes, slot * slotBytes + histogramByte, latencyClass, before)
  }
  words[slot * slotWords + word.halvings] = halvings
}

/**
 * Returns a check value, which distinguishes a slot from the remains of one after a power cut. It is never 0, and
 * depends on the names and the minute.
 */
export function checkOf(keyName: number, methodName: number, minute: number): number {
  let mixed = Math.imul(keyName ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(methodName ^ 0xc2b2ae35, 0x27d4eb2f)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ minute, 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) | 1) >>> 0
}

/** The header is the first page of a file. Slots follow it; names stand at the end and grow towards them. */
export const headerBytes = 4_096

/** The bits of a slot's number that identify its place in a file; the others identify the file. */
const slotBits = 14
/**
 * The maximum number of slots in a file (names need room too): 2.5 MB, which take a millisecond to allocate.
 */
export const slotsPerFile = 2 ** slotBits
/** The bytes for slots and names together. */
export const slotsBytes = slotsPerFile * slotBytes
export const fileBytes = headerBytes + slotsBytes

/** Returns the index of the file of a slot. */
export const placeOf = (slotId: number): number => slotId >>> slotBits
export const slotIn = (slotId: number): number => slotId & (slotsPerFile - 1)

/** "ghusage" and the version of this layout. */
export const magic = 0x6768_7503

/** Indexes of u32 values in the header. */
export const headerWord = { magic: 0, slots: 1, usedSlots: 2, usedNameBytes: 3 } as const
/** The place of the writer's id: its length in a byte, then its text. */
export const writerByte = 64
export const maxWriterBytes = 100

/** Returns true when so many slots and bytes of names do not overlap. */
export const hasRoom = (slots: number, nameBytes: number): boolean =>
  slots * slotBytes + nameBytes <= slotsBytes
