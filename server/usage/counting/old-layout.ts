import {
  fileBytes,
  headerBytes,
  headerWord,
  magic,
  number,
  slotBytes,
  slotNumbers,
  slotsPerFile,
  slotWords,
  word,
} from './slot-layout.ts'

/*
 * Files of the version before, which end each slot with the histogram. A process of that version may have left some when
 * it was killed, and then this version was installed.
 */

const oldMagic = 0x6768_7502
const oldSlotBytes = 136
const oldFileBytes = headerBytes + slotsPerFile * oldSlotBytes

/** Returns a file as this version would have written it; other content as it is. */
export function inNewLayout(content: Uint8Array): Uint8Array {
  if (content.length !== oldFileBytes) return content
  const header = new Uint32Array(content.buffer, content.byteOffset, headerBytes / 4)
  if (header[headerWord.magic] !== oldMagic) return content
  const file = new Uint8Array(fileBytes)
  file.set(content.subarray(0, headerBytes))
  new Uint32Array(file.buffer)[headerWord.magic] = magic
  const nameBytes = Math.min(header[headerWord.usedNameBytes] ?? 0, oldFileBytes - headerBytes)
  file.set(content.subarray(oldFileBytes - nameBytes), fileBytes - nameBytes)
  const slots = file.subarray(headerBytes)
  const used = Math.min(header[headerWord.usedSlots] ?? 0, slotsPerFile)
  for (let slot = 0; slot < used; slot++) {
    const from = headerBytes + slot * oldSlotBytes
    slots.set(content.subarray(from, from + oldSlotBytes), slot * slotBytes)
    noteCharged(slots, slot)
  }
  return file
}

/** This was not noted: all calls of a slot are of one method, and so of one price, unless it was changed then. */
function noteCharged(slots: Uint8Array, slot: number): void {
  const words = new Uint32Array(slots.buffer, slots.byteOffset + slot * slotBytes, slotWords)
  const numbers = new Float64Array(slots.buffer, slots.byteOffset + slot * slotBytes, slotNumbers)
  const requests = words[word.requests] ?? 0
  const ended = Math.min(requests, (words[word.ok] ?? 0) + (words[word.errors] ?? 0))
  const price = requests === 0 ? 0 : (numbers[number.credits] ?? 0) / requests
  numbers[number.charged] = Math.max(0, Math.round(price * ended) - (numbers[number.creditsBack] ?? 0))
}
