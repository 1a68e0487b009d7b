import { expect, test } from 'bun:test'

import { incidentBands, pointsOf, sideBySide, withBefore } from './lag-series.ts'

const bucket = (at: number, lagBlocksAvg: number, failures = 0) => ({
  at,
  upMs: 0,
  latencyMs: 0,
  downMs: 0,
  probes: 10,
  failures,
  lagBlocksAvg,
  lagBlocksMax: lagBlocksAvg * 2,
  lagSecAvg: 0,
  rttP50Ms: 5,
  rttP95Ms: 9,
})

test('a point for each bucket; gaps where there is none, and where nobody answered', () => {
  const buckets = [bucket(600, 1), bucket(1_200, 2), bucket(1_500, 3, 10), bucket(1_800, 4)]
  expect(pointsOf({ range: '24h', to: 2_000, buckets }, 'blocks')).toEqual([
    { at: 600_000, values: [1, 2] },
    { at: 900_000, values: [null, null] },
    { at: 1_200_000, values: [2, 4] },
    { at: 1_500_000, values: [null, null] },
    { at: 1_800_000, values: [4, 8] },
  ])
  expect(pointsOf({ range: '24h', to: 2_000, buckets: buckets.slice(0, 1) }, 'response')[0]?.values).toEqual([
    5, 9,
  ])
})

test('without a bucket nothing is drawn', () => {
  expect(pointsOf({ range: '7d', to: 2_000, buckets: [] }, 'blocks')).toEqual([])
})

const point = (at: number, ...values: number[]) => ({ at, values })

test('the period before stands beside each point, where something was measured', () => {
  expect(withBefore([point(900, 1, 2), point(1_200, 3, 4)], [point(300, 7, 9), point(0, 5)], 900)).toEqual([
    { at: 900, values: [1, 2, 5] },
    { at: 1_200, values: [3, 4, 7] },
  ])
  expect(withBefore([point(900, 1)], [], 900)).toEqual([{ at: 900, values: [1, null] }])
})

test('the values of two charts stand side by side', () => {
  expect(sideBySide([[point(1, 2, 3)], [point(1, 4)]])).toEqual([point(1, 2, 3, 4)])
  expect(sideBySide([])).toEqual([])
})

test('an incident that lasts is one until now', () => {
  const incident = { worst: 'DOWN' as const, cause: '', transitions: 1, reasons: [], reasonsLeftOut: 0 }
  const incidents = [
    { ...incident, openedAt: 10, closedAt: 20 },
    { ...incident, openedAt: 30, closedAt: null },
  ]
  expect(incidentBands({ incidents, to: 40 })).toEqual([
    { from: 10_000, to: 20_000 },
    { from: 30_000, to: 40_000 },
  ])
})
