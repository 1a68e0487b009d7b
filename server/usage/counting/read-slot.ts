import {
  fileBytes,
  headerBytes,
  headerWord,
  magic,
  maxWriterBytes,
  slotsBytes,
  slotsPerFile,
  writerByte,
  checkOf,
  histogramByte,
  number,
  slotBytes,
  slotNumbers,
  slotWords,
  word,
} from './slot-layout.ts'
import { inNewLayout } from './old-layout.ts'
import { latencyClasses, latenciesToNumber } from '../latency-histogram.ts'

export interface SlotName {
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly method: string
}

/** The content of a slot: cumulative counts, all of which only grow. */
export interface SlotCounts {
  /** The minute since 1970. */
  readonly minute: number
  readonly requests: number
  readonly credits: number
  readonly creditsBack: number
  readonly ok: number
  readonly errors: number
  readonly rateLimited: number
  readonly creditLimited: number
  /** Answers of the cache, among `ok`. */
  readonly cached: number
  /** Calls that no upstream answered, among `errors`. */
  readonly unanswered: number
  /** What was charged for calls that have ended. */
  readonly charged: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** A histogram as one number. */
  readonly latencies: string
}

export interface Slots {
  readonly words: Uint32Array
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
}

export function readCounts({ words, numbers, bytes }: Slots, slot: number): SlotCounts {
  const w = slot * slotWords
  const n = slot * slotNumbers
  const halvings = words[w + word.halvings] ?? 0
  const from = slot * slotBytes + histogramByte
  return {
    minute: words[w + word.minute] ?? 0,
    requests: words[w + word.requests] ?? 0,
    credits: numbers[n + number.credits] ?? 0,
    creditsBack: numbers[n + number.creditsBack] ?? 0,
    ok: words[w + word.ok] ?? 0,
    errors: words[w + word.errors] ?? 0,
    rateLimited: words[w + word.rateLimited] ?? 0,
    creditLimited: words[w + word.creditLimited] ?? 0,
    cached: words[w + word.cached] ?? 0,
    unanswered: words[w + word.unanswered] ?? 0,
    charged: numbers[n + number.charged] ?? 0,
    bytesIn: numbers[n + number.bytesIn] ?? 0,
    bytesOut: numbers[n + number.bytesOut] ?? 0,
    latencies: latenciesToNumber(bytes.subarray(from, from + latencyClasses), 2 ** halvings),
  }
}

/**
 * Returns what a process counted that will not count any more: calls that were under way are errors without an answer,
 * and cost nothing.
 */
export function settledByEnd<Counts extends SlotCounts>(counts: Counts): Counts {
  const open = Math.max(0, counts.requests - counts.ok - counts.errors)
  if (open === 0) return counts
  const errors = counts.errors + open
  return {
    ...counts,
    errors,
    // A kill may fall between a part of a count and its whole.
    cached: Math.min(counts.cached, counts.ok),
    unanswered: Math.min(counts.unanswered + open, errors),
    creditsBack: Math.max(counts.creditsBack, counts.credits - counts.charged),
  }
}

const separator = '\0'

/** Returns the name of a key in a file. */
export const keyNameOf = (accountId: string, keyId: string, endpoint: string): string =>
  [accountId, keyId, endpoint].join(separator)

/**
 * The complete slots of a file that another process left. `damaged` counts slots that a power cut left half written.
 */
export interface LeftFile {
  readonly writer: string
  readonly slots: readonly (SlotName & SlotCounts)[]
  readonly damaged: number
}

/** Reads a file; null when it never held counters, because its process ended while creating it. */
export function readLeftFile(content: Uint8Array): LeftFile | null {
  const file = inNewLayout(content)
  if (file.length !== fileBytes) return null
  const header = new Uint32Array(file.buffer, file.byteOffset, headerBytes / 4)
  if (header[headerWord.magic] !== magic || header[headerWord.slots] !== slotsPerFile) return null
  const writerBytes = file[writerByte] ?? 0
  if (writerBytes === 0 || writerBytes > maxWriterBytes) return null
  const decoder = new TextDecoder()
  const writer = decoder.decode(file.subarray(writerByte + 1, writerByte + 1 + writerBytes))
  const nameAt = namesOf(file, Math.min(header[headerWord.usedNameBytes] ?? 0, slotsBytes), decoder)
  const slotsAt = file.byteOffset + headerBytes
  const parts = {
    words: new Uint32Array(file.buffer, slotsAt, slotsPerFile * slotWords),
    numbers: new Float64Array(file.buffer, slotsAt, slotsPerFile * slotNumbers),
    bytes: file.subarray(headerBytes),
  }
  const used = Math.min(header[headerWord.usedSlots] ?? 0, slotsPerFile)
  const slots: (SlotName & SlotCounts)[] = []
  for (let slot = 0; slot < used; slot++) {
    const whole = readWholeSlot(parts, slot, nameAt)
    if (whole !== null) slots.push(whole)
  }
  return { writer, slots, damaged: used - slots.length }
}

type NameAt = (place: number) => string | null

function namesOf(file: Uint8Array, usedBytes: number, decoder: TextDecoder): NameAt {
  const known = new Map<number, string>()
  return (place) => {
    const seen = known.get(place)
    if (seen !== undefined) return seen
    if (place < 2 || place > usedBytes) return null
    const from = fileBytes - place
    const length = (file[from] ?? 0) + (file[from + 1] ?? 0) * 256
    if (length === 0 || length + 2 > place) return null
    const name = decoder.decode(file.subarray(from + 2, from + 2 + length))
    known.set(place, name)
    return name
  }
}

function readWholeSlot(parts: Slots, slot: number, nameAt: NameAt): (SlotName & SlotCounts) | null {
  const first = slot * slotWords
  const keyName = parts.words[first + word.keyName] ?? 0
  const methodName = parts.words[first + word.methodName] ?? 0
  const counts = readCounts(parts, slot)
  if (parts.words[first + word.check] !== checkOf(keyName, methodName, counts.minute)) return null
  const [accountId, keyId, endpoint] = nameAt(keyName)?.split(separator) ?? []
  const method = nameAt(methodName)
  if (accountId === undefined || keyId === undefined || endpoint === undefined || method === null) return null
  const sums = [counts.credits, counts.creditsBack, counts.charged, counts.bytesIn, counts.bytesOut]
  if (!sums.every((sum) => Number.isSafeInteger(sum) && sum >= 0)) return null
  return { accountId, keyId, endpoint, method, ...counts }
}
