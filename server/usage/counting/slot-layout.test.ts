import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { latencyClasses, latenciesFromNumber, latenciesToNumber } from '../latency-histogram.ts'
import {
  addEnds,
  type EndedCounts,
  histogramByte,
  number,
  slotBytes,
  slotNumbers,
  slotWords,
  word,
} from './slot-layout.ts'

const slot = 1
function emptySlots() {
  const { buffer } = new Uint8Array(2 * slotBytes)
  return {
    words: new Uint32Array(buffer),
    numbers: new Float64Array(buffer),
    bytes: new Uint8Array(buffer),
  }
}

const one = { calls: 1, results: 0, cached: 0, unanswered: 0, charged: 0, back: 0 }
const ofOne: readonly EndedCounts[] = [
  { ...one, results: 1, charged: 26 },
  { ...one, results: 1, cached: 1, charged: 6, back: 20 },
  { ...one, charged: 26 },
]
const together = (runs: readonly EndedCounts[]): EndedCounts => {
  const sum = { ...one, calls: 0 }
  for (const run of runs) for (const name of Object.keys(sum) as (keyof EndedCounts)[]) sum[name] += run[name]
  return sum
}

const requests = fc.array(
  fc.record({
    ends: fc.array(fc.constantFrom(...ofOne), { minLength: 1, maxLength: 200 }),
    latencyClass: fc.nat({ max: latencyClasses - 1 }),
    bytes: fc.nat({ max: 1_000 }),
  }),
  { minLength: 1, maxLength: 40 },
)

test('calls that are counted together leave the same slot as one after the other', () => {
  fc.assert(
    fc.property(requests, (made) => {
      const [atOnce, singly] = [emptySlots(), emptySlots()]
      for (const { ends, latencyClass, bytes } of made) {
        const shared = { latencyClass, bytesIn: bytes, bytesOut: 2 * bytes }
        addEnds(atOnce, slot, together(ends), shared)
        for (const [place, ended] of ends.entries())
          addEnds(singly, slot, ended, place === 0 ? shared : { latencyClass, bytesIn: 0, bytesOut: 0 })
      }
      expect(atOnce.bytes).toEqual(singly.bytes)
      expect(atOnce.bytes.subarray(0, slotBytes)).toEqual(new Uint8Array(slotBytes)) // the slot before it
    }),
  )
})

test('what no upstream answered has no latency, and more answers than the bytes can count keep their shares', () => {
  const slots = emptySlots()
  const unanswered = { ...one, calls: 3, unanswered: 3, back: 78 }
  const shared = { bytesIn: 0, bytesOut: 0 }
  addEnds(slots, slot, unanswered, { latencyClass: 5, ...shared })
  for (let request = 0; request < 1_000; request++)
    addEnds(
      slots,
      slot,
      { ...one, calls: 100, results: 100 },
      { latencyClass: request % 10 === 0 ? 40 : 10, ...shared },
    )
  const halvings = slots.words[slot * slotWords + word.halvings] ?? 0
  const first = slot * slotBytes + histogramByte
  const counts = latenciesFromNumber(
    latenciesToNumber(slots.bytes.subarray(first, first + latencyClasses), 2 ** halvings),
  )
  expect(halvings).toBeGreaterThan(5)
  expect((counts[10] ?? 0) / 90_000).toBeWithin(0.9, 1.1)
  expect((counts[40] ?? 0) / 10_000).toBeWithin(0.8, 1.2)
  expect(counts[5]).toBe(0)
  expect(slots.numbers[slot * slotNumbers + number.creditsBack]).toBe(78)
  expect(
    [word.unanswered, word.errors, word.ok].map((place) => slots.words[slot * slotWords + place]),
  ).toEqual([3, 3, 100_000])
})
