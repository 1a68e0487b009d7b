import { expect, test } from 'bun:test'

import { planSuites } from './suites.ts'
import { suitesToRepeat } from './suites-to-repeat.ts'
import { emptyTally } from './tally.ts'

const paths = Array.from({ length: 9 }, (_, number) => `tests/acceptance/${number}.test.ts`)
const suites = planSuites(paths.map((path) => ({ path, text: '' })))
const failing = (...counts: number[]) =>
  suites.map((suite, place) => ({ suite, tally: { ...emptyTally(), failed: counts[place] ?? 0 } }))

test.each([
  [[], []],
  [[0, 1], [1]],
  [
    [1, 0, 3, 1],
    [0, 2, 3],
  ],
  [[6], [0]],
  [[1, 1, 1, 1, 1, 1, 1, 1, 1], []],
])('of suites with %j failures, those at %j run once more', (counts, repeated) => {
  expect(suitesToRepeat(failing(...counts)).map((suite) => suites.indexOf(suite))).toEqual(repeated)
})
