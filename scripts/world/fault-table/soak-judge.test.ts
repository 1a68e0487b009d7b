import { expect, test } from 'bun:test'

import { flatnessOf, type SoakSample } from './soak-judge.ts'

/** An hour with a sample each minute. */
const samplesOf = (change: (minute: number) => Partial<SoakSample> = () => ({})): SoakSample[] =>
  Array.from({ length: 60 }, (_, minute) => ({
    process: 'one',
    at: minute * 60_000,
    residentMb: 200,
    descriptors: 60,
    lagMs: 10,
    stalledMs: 0,
    ...change(minute),
  }))

const growing = (samples: readonly SoakSample[]): string[] =>
  flatnessOf(samples).flatMap(({ measure, isFlat }) => (isFlat === false ? [measure] : []))

test.each([
  ['nothing grows', () => ({}), []],
  ['it grows while it becomes warm', (minute) => ({ residentMb: 100 + Math.min(minute, 14) * 20 }), []],
  [
    'one moment is bad',
    (minute) => (minute === 50 ? { residentMb: 900, descriptors: 900, lagMs: 900 } : {}),
    [],
  ],
  ['memory grows', (minute) => ({ residentMb: 200 + 2 * minute }), ['residentMb']],
  ['descriptors grow', (minute) => ({ descriptors: 60 + minute / 2 }), ['descriptors']],
  ['lag grows', (minute) => ({ lagMs: 10 + 2 * minute }), ['lagMs']],
  [
    'nothing was measured at the end',
    (minute) => (minute > 44 ? { residentMb: Number.NaN } : {}),
    ['residentMb'],
  ],
] satisfies [string, (minute: number) => Partial<SoakSample>, string[]][])('%s', (_, change, expected) => {
  expect(growing(samplesOf(change))).toEqual(expected)
})

test('each process is judged by itself', () => {
  const other = samplesOf((minute) => ({ process: 'other', descriptors: 60 + minute }))
  expect(flatnessOf([...samplesOf(), ...other]).filter(({ isFlat }) => isFlat === false)).toMatchObject([
    { process: 'other', measure: 'descriptors' },
  ])
})

const busy = (minute: number): Partial<SoakSample> =>
  minute > 44 && minute % 4 !== 0 ? { lagMs: 900, residentMb: 900, stalledMs: 400 } : {}

test('lag while the machine had no time is not held against a process, and memory is', () => {
  expect(growing(samplesOf(busy))).toEqual(['residentMb'])
  const always = samplesOf((minute) => (minute > 44 ? { lagMs: 900, stalledMs: 400 } : {}))
  expect(flatnessOf(always).find(({ measure }) => measure === 'lagMs')?.isFlat).toBeNull()
})
