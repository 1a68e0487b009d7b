import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type Recorder, bucketMs, createRecorder } from './recorder.ts'
import { countRtt, createRttHistogram, rttPercentile } from './rtt-histogram.ts'
import { nothingLost } from '../test-support/history-fixtures.ts'

const a = { slot: 0, service: { id: 'a' } }
const b = { slot: 1, service: { id: 'b' } }
const bucketAt = 1_800_000_000_000 // a multiple of five minutes

describe('the recorder', () => {
  test('adds measurements up by service and bucket', () => {
    const recorder = createRecorder(nothingLost)
    const measured = { ok: true, error: null, lagBlocks: 2, lagSec: 24, rttMs: 100 }
    recorder.measured(a, { at: bucketAt, ...measured })
    recorder.measured(a, { at: bucketAt + bucketMs - 1, ...measured, lagBlocks: 4 })
    recorder.measured(a, { at: bucketAt + 5, ...measured, ok: false })
    recorder.measured(a, { at: bucketAt + bucketMs, ...measured })
    recorder.measured(b, { at: bucketAt, ...measured })
    const additions = recorder.take()
    expect(
      additions.map((row) => [row.serviceId, row.bucketAt - bucketAt, row.probes, row.failures]),
    ).toEqual([
      ['a', 0, 3, 1],
      ['b', 0, 1, 0],
      ['a', bucketMs, 1, 0],
    ])
    expect(additions[0]).toMatchObject({ lagBlocksSum: 6, lagBlocksMax: 4, lagSecSum: 48, lagSecMax: 24 })
  })

  test('tells services apart that have one slot after the other, and joins what one had in two', () => {
    const recorder = createRecorder(nothingLost)
    const measured = { at: bucketAt, ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 1 }
    for (const one of [a, b, { ...b, slot: 0 }, a]) recorder.measured(one, measured)
    const taken = () => recorder.take().map(({ serviceId, probes }) => [serviceId, probes])
    expect(taken()).toEqual([
      ['a', 2],
      ['b', 2],
    ])
    for (const one of [a, b]) recorder.measured(one, measured)
    recorder.forget('a')
    recorder.measured(a, measured)
    expect(taken()).toEqual([
      ['b', 1],
      ['a', 1],
    ])
  })

  test('a bucket that is taken in many parts is as long as it is, whatever parts of milliseconds they are', () => {
    const recorder = createRecorder(nothingLost)
    let sum = 0
    let from = bucketAt
    for (let part = 1; from < bucketAt + bucketMs; part++) {
      const to = Math.min(bucketAt + part * 1000.7, bucketAt + bucketMs)
      recorder.lasted(a, part % 2 === 0 ? 'UP' : 'DOWN', 3, from, to)
      for (const { upMs, downMs } of recorder.take()) sum += Math.round(upMs) + Math.round(downMs)
      from = to
    }
    expect(sum).toBe(bucketMs)
  })

  test('splits time in a state at the bounds of buckets and loses none of it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: bucketMs }),
        fc.integer({ min: 0, max: 3 * bucketMs }),
        (offset, length) => {
          const recorder = createRecorder(nothingLost)
          recorder.lasted(a, 'UP', 3, bucketAt + offset, bucketAt + offset + length)
          const additions = recorder.take()
          expect(additions.reduce((sum, row) => sum + row.upMs, 0)).toBe(length)
          expect(additions.every((row) => row.upMs <= bucketMs && row.bucketAt % bucketMs === 0)).toBe(true)
        },
      ),
    )
  })

  test('tells the states apart and keeps the least number of live verifiers; UNKNOWN is what is missing', () => {
    const recorder = createRecorder(nothingLost)
    recorder.lasted(a, 'UP', 3, bucketAt, bucketAt + 10)
    recorder.lasted(a, 'LATENCY', 2, bucketAt + 10, bucketAt + 30)
    recorder.lasted(a, 'DOWN', 4, bucketAt + 30, bucketAt + 60)
    recorder.lasted(a, 'UNKNOWN', 3, bucketAt + 60, bucketAt + 100)
    expect(recorder.take()[0]).toMatchObject({ upMs: 10, latencyMs: 20, downMs: 30, liveMin: 2 })
  })

  test('gives everything once', () => {
    const recorder = createRecorder(nothingLost)
    recorder.lasted(a, 'UP', 1, bucketAt, bucketAt + 10)
    expect(recorder.take()).toHaveLength(1)
    expect(recorder.take()).toEqual([])
  })
})

describe('the histogram of round trips', () => {
  test('a percentile is off by at most an eighth', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 9_000 }), { minLength: 1, maxLength: 200 }), (rtts) => {
        const histogram = createRttHistogram()
        for (const rtt of rtts) countRtt(histogram, rtt)
        const sorted = rtts.toSorted((left, right) => left - right)
        for (const share of [0.5, 0.95]) {
          const exact = sorted[Math.ceil(rtts.length * share) - 1] ?? 0
          expect(Math.abs(rttPercentile(histogram, share) - exact) / exact).toBeLessThanOrEqual(0.126)
        }
      }),
    )
  })

  test('is 0 for nothing and takes what is beyond its range', () => {
    const histogram = createRttHistogram()
    expect(rttPercentile(histogram, 0.5)).toBe(0)
    countRtt(histogram, 0)
    expect(rttPercentile(histogram, 0.5)).toBeLessThan(2)
    for (let times = 0; times < 3; times++) countRtt(histogram, 1e9)
    expect(rttPercentile(histogram, 0.95)).toBeGreaterThan(10_000)
  })
})

/** Service, bucket, and how often it was measured. */
const kept = (recorder: Recorder) =>
  recorder
    .take()
    .map(({ serviceId, bucketAt: at, probes }) => [serviceId, (at - bucketAt) / bucketMs, probes])

describe('while nobody takes rows', () => {
  const measured = { ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 1 }
  const services = ['a', 'b', 'c'].map((id, slot) => ({ slot, service: { id } }))

  function fill(recorder: Recorder, bucket: number): void {
    for (const service of services)
      recorder.measured(service, { at: bucketAt + bucket * bucketMs, ...measured })
  }
  test('the oldest bucket is given up for a new one, and told', () => {
    const losses: number[] = []
    const recorder = createRecorder((rows) => losses.push(rows), 6)
    for (const bucket of [0, 1, 2, 2]) fill(recorder, bucket)
    expect(losses).toEqual([3])
    expect(kept(recorder)).toEqual([
      ['a', 1, 1],
      ['b', 1, 1],
      ['c', 1, 1],
      ['a', 2, 2],
      ['b', 2, 2],
      ['c', 2, 2],
    ])
  })

  test('nothing newer is given up for what comes late', () => {
    const losses: number[] = []
    const recorder = createRecorder((rows) => losses.push(rows), 6)
    for (const bucket of [1, 2, 0]) fill(recorder, bucket)
    expect(losses).toEqual([1, 1, 1])
    expect(kept(recorder).map(([, bucket]) => bucket)).toEqual([1, 1, 1, 2, 2, 2])
  })

  test('there is room again for what was taken or forgotten', () => {
    const recorder = createRecorder(nothingLost, 6)
    fill(recorder, 0)
    recorder.forget('a')
    recorder.measured(services[0] ?? { slot: 0, service: { id: 'a' } }, { at: bucketAt, ...measured })
    fill(recorder, 1)
    expect(kept(recorder)).toHaveLength(6)
    for (const bucket of [2, 3]) fill(recorder, bucket)
    expect(kept(recorder)).toHaveLength(6)
  })

  test('memory is bounded, however long it lasts and whatever comes', () => {
    const visit = fc.record({
      service: fc.constantFrom(...services),
      bucket: fc.integer({ min: 0, max: 20 }),
    })
    fc.assert(
      fc.property(
        fc.array(visit, { maxLength: 200 }),
        fc.integer({ min: 1, max: 12 }),
        (visits, rowsKept) => {
          let lost = 0
          const recorder = createRecorder((rows) => void (lost += rows), rowsKept)
          for (const { service, bucket } of visits)
            recorder.measured(service, { at: bucketAt + bucket * bucketMs, ...measured })
          const rows = kept(recorder)
          expect(rows.length).toBeLessThanOrEqual(rowsKept)
          if (lost === 0)
            expect(rows.reduce((sum, [, , probes]) => sum + Number(probes), 0)).toBe(visits.length)
        },
      ),
    )
  })
})
