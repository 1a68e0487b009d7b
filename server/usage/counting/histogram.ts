import { latencyClasses } from '../latency.ts'
import { histogramByte, slotBytes, slotWords, word } from './slot-layout.ts'

const fullestByte = 255

/**
 * Counts a latency in the histogram of a slot, whose classes have one byte each. When a class is full, all are halved,
 * and from then on one answer of two is counted, then one of four: the shares stay right, in 64 bytes.
 */
export function countLatency(words: Uint32Array, bytes: Uint8Array, slot: number, place: number): void {
  const first = slot * slotBytes + histogramByte
  const halvings = words[slot * slotWords + word.halvings] ?? 0
  const answers = (words[slot * slotWords + word.ok] ?? 0) + (words[slot * slotWords + word.errors] ?? 0)
  if (halvings > 0 && scattered(answers) >>> (32 - halvings) !== 0) return
  if (bytes[first + place] === fullestByte) {
    halve(bytes.subarray(first, first + latencyClasses))
    words[slot * slotWords + word.halvings] = halvings + 1
  }
  bytes[first + place] = (bytes[first + place] ?? 0) + 1
}

/**
 * Scatters the number of an answer. Counting each fourth answer by number would miss calls that come in patterns.
 */
const scattered = (answers: number): number => Math.imul(answers, 0x9e3779b1) >>> 0

/**
 * Halves all classes. What one class loses to rounding goes to the next one, so that the few answers at the slow end
 * do not vanish.
 */
function halve(classes: Uint8Array): void {
  let carried = 0
  for (let place = 0; place < classes.length; place++) {
    const count = (classes[place] ?? 0) + carried
    classes[place] = count >> 1
    carried = count & 1
  }
}
