import { expect, test } from 'bun:test'

import { measuredLines } from './measured-lines.ts'

const to = 1_800_000_000
const uptime = (watchedMs: number) => ({ availability: 1, healthy: 1, unknownShare: 0, watchedMs })
const bucket = (at: number, failures: number) => ({
  at,
  upMs: 0,
  latencyMs: 0,
  downMs: 0,
  probes: 30,
  failures,
  lagBlocksAvg: 0,
  lagBlocksMax: 0,
  lagSecAvg: 0,
  rttP50Ms: 63.7,
  rttP95Ms: 118,
})
const textsOf = (...args: Parameters<typeof measuredLines>) =>
  measuredLines(...args).map(({ title, text }) => `${title}: ${text}`)

test('the response is that of the newest good answers, unless they are old', () => {
  const day = { to, uptime: uptime(0), buckets: [bucket(to - 600, 3), bucket(to - 300, 30)] }
  expect(textsOf({ '24h': day })).toEqual(['Response p50 / p95: 64 ms / 118 ms'])
  expect(textsOf({ '24h': { ...day, buckets: [bucket(to - 7_200, 0)] } })).toEqual([])
  expect(textsOf({})).toEqual([])
})

test('since when it is watched', () => {
  const months = { to, buckets: [], uptime: uptime(72 * 86_400_000) }
  expect(textsOf({ '90d': months })).toEqual(['Watched: since Nov 4, 2026, 72 d'])
  expect(textsOf({ '90d': { ...months, uptime: uptime(90 * 86_400_000) } })).toEqual([
    'Watched: for more than 90 days',
  ])
  expect(textsOf({ '90d': { ...months, uptime: uptime(0) } })).toEqual([])
})
