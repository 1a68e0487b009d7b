import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import {
  countLatency,
  latenciesFromNumber,
  latenciesToNumber,
  latencyClasses,
  latencyClassOf,
  latencyPercentile,
} from './latency-histogram.ts'

const time = fc.double({ min: 0.5, max: 30_000, noNaN: true })

/** A histogram in which these times were counted, as one number. */
function counted(times: readonly number[]): string {
  const classes = new Uint8Array(latencyClasses)
  let halvings = 0
  for (const [answers, tookMs] of times.entries())
    halvings = countLatency(classes, 0, latencyClassOf(tookMs), { halvings, answers })
  return latenciesToNumber(classes, 2 ** halvings)
}

const exact = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0

describe('percentiles from histograms', () => {
  test('are off by a tenth at most, joined by adding the numbers that stand for them', () => {
    fc.assert(
      fc.property(fc.array(fc.array(time, { maxLength: 100 }), { minLength: 1, maxLength: 5 }), (parts) => {
        const times = parts.flat()
        const joined = parts.map((part) => BigInt(counted(part))).reduce((sum, part) => sum + part)
        const classes = latenciesFromNumber(String(joined))
        for (const share of [0.5, 0.99]) {
          const found = latencyPercentile(classes, share)
          if (times.length === 0) expect(found).toBeNull()
          else expect((found ?? 0) / exact(times, share)).toBeWithin(0.9, 1.11)
        }
      }),
    )
  })

  test('stay right when a slot has more answers than its bytes can count', () => {
    const times = Array.from({ length: 200_000 }, (_, turn) => (turn % 100 < 97 ? 10 : 2_000))
    const classes = latenciesFromNumber(counted(times))
    const total = classes.reduce((sum, count) => sum + count)
    expect(total / times.length).toBeWithin(0.9, 1.1)
    expect((latencyPercentile(classes, 0.5) ?? 0) / 10).toBeWithin(0.9, 1.11)
    expect((latencyPercentile(classes, 0.99) ?? 0) / 2_000).toBeWithin(0.9, 1.11)
  })

  test('times beyond the classes are the nearest bound', () => {
    expect(latencyClassOf(0)).toBe(0)
    expect(latencyClassOf(Number.NaN)).toBe(0)
    expect(latencyClassOf(1e9)).toBe(latencyClasses - 1)
    expect(latencyPercentile(latenciesFromNumber(counted([0.1])), 0.5)).toBe(0.5)
    expect(latencyPercentile(latenciesFromNumber(counted([1e9])), 0.5)).toBeGreaterThan(39_000)
  })
})
