import { expect, test } from 'bun:test'

import { planSuites, selectFiles } from './suites.ts'

const files = [
  'tests/faults/postgres-restart.test.ts',
  'tests/acceptance/health.test.ts',
  'server/health/decide/vote.test.ts',
  'tests/acceptance/start.test.ts',
  'tests/console/keys.test.ts',
  'console/ui/sort-rows.test.ts',
  'shared/chains.test.ts',
]

test('light files share a process, those of the console another; each heavy file has its own, after them', () => {
  const plan = planSuites(files).map((suite) => [suite.name, suite.files])
  expect(plan).toEqual([
    ['unit', ['server/health/decide/vote.test.ts', 'shared/chains.test.ts']],
    ['console', ['console/ui/sort-rows.test.ts']],
    ['acceptance health', ['tests/acceptance/health.test.ts']],
    ['acceptance start', ['tests/acceptance/start.test.ts']],
    ['browser keys', ['tests/console/keys.test.ts']],
    ['faults postgres-restart', ['tests/faults/postgres-restart.test.ts']],
  ])
})

test('heavy suites have longer limits, and no single test may outlast its suite', () => {
  const [unit, , acceptance] = planSuites(files)
  expect(acceptance?.testTimeoutMs).toBeGreaterThan(unit?.testTimeoutMs ?? Infinity)
  for (const suite of planSuites(files)) expect(suite.testTimeoutMs).toBeLessThan(suite.timeLimitMs)
})

test('no files make no suites', () => {
  expect(planSuites([])).toEqual([])
})

test('a pattern keeps the files whose path holds it; no pattern keeps all', () => {
  expect(selectFiles(files, ['acceptance/', 'vote'])).toEqual([
    'tests/acceptance/health.test.ts',
    'server/health/decide/vote.test.ts',
    'tests/acceptance/start.test.ts',
  ])
  expect(selectFiles(files, [])).toEqual(files)
  expect(selectFiles(files, ['nowhere'])).toEqual([])
})
