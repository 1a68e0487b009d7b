import { expect, test } from 'bun:test'

import { LatencyEstimate } from './upstream-client.ts'

function after(latencies: Iterable<number>): LatencyEstimate {
  const latency = new LatencyEstimate()
  for (const each of [50, 95, 99]) latency.percentileMs(each)
  for (const tookMs of latencies) latency.record(tookMs)
  return latency
}

test('knows nothing before the first call', () => {
  expect(after([])).toMatchObject({ meanMs: null })
  expect(after([]).percentileMs(95)).toBe(0)
})

test('the mean follows what is so now', () => {
  const latencies = [...Array(50).fill(10), ...Array(50).fill(200)]
  expect(after(latencies.slice(0, 50)).meanMs).toBe(10)
  expect(after(latencies).meanMs).toBeGreaterThan(190)
})

test.each([
  [50, 42, 58],
  [95, 85, 110],
  [99, 92, 125],
])('the percentile %d is near the truth', (percentile, least, most) => {
  // 1 to 100 ms in an order that has nothing to do with their size.
  const latencies = Array.from({ length: 20_000 }, (_, place) => ((place * 7_919) % 100) + 1)
  expect(after(latencies).percentileMs(percentile)).toBeGreaterThan(least)
  expect(after(latencies).percentileMs(percentile)).toBeLessThan(most)
})
