import { expect, test } from 'bun:test'

import { planSuites, selectFiles } from './suites.ts'

const paths = [
  'tests/faults/postgres-restart.test.ts',
  'tests/acceptance/health.test.ts',
  'server/health/decide/vote.test.ts',
  'tests/acceptance/start.test.ts',
  'tests/console/keys.test.ts',
  'console/ui/sort-rows.test.ts',
  'shared/chains.test.ts',
]

const files = paths.map((path) => ({ path, text: '' }))

test('light files share a process, those of the console another; each heavy file has its own', () => {
  const plan = planSuites(files).map((suite) => [suite.name, suite.files])
  expect(plan).toEqual([
    ['unit', ['server/health/decide/vote.test.ts', 'shared/chains.test.ts']],
    ['acceptance health', ['tests/acceptance/health.test.ts']],
    ['faults postgres-restart', ['tests/faults/postgres-restart.test.ts']],
    ['browser keys', ['tests/console/keys.test.ts']],
    ['console', ['console/ui/sort-rows.test.ts']],
    ['acceptance start', ['tests/acceptance/start.test.ts']],
  ])
})

test('those of a kind do not come one after the other', () => {
  const two = ['a', 'b'].map((name) => `tests/console/${name}.test.ts`)
  const four = ['a', 'b', 'c', 'd'].map((name) => `tests/acceptance/${name}.test.ts`)
  const suites = planSuites([...two, ...four].map((path) => ({ path, text: '' })))
  expect(suites.map(({ name }) => name)).toEqual([
    'acceptance a',
    'browser a',
    'acceptance b',
    'acceptance c',
    'browser b',
    'acceptance d',
  ])
})

test('many light files are dealt out to several processes, each file to one of them', () => {
  const many = Array.from({ length: 130 }, (_, index) => `server/${String(index).padStart(3, '0')}.test.ts`)
  const suites = planSuites(many.map((path) => ({ path, text: '' })))
  expect(suites.map(({ name, files: own }) => `${name}: ${own.length}`)).toEqual([
    'unit 1 of 3: 44',
    'unit 2 of 3: 43',
    'unit 3 of 3: 43',
  ])
  expect(suites.flatMap(({ files: own }) => own).toSorted()).toEqual(many)
})

test('heavy suites have longer limits, and no single test may outlast its suite', () => {
  const [unit, , faults] = planSuites(files)
  expect(faults?.testTimeoutMs).toBeGreaterThan(unit?.testTimeoutMs ?? Infinity)
  for (const suite of planSuites(files)) expect(suite.testTimeoutMs).toBeLessThan(suite.timeLimitMs)
})

test('only heavy suites start programs, which need not be made for the others', () => {
  for (const { name, startsPrograms } of planSuites(files)) {
    expect([name, startsPrograms]).toEqual([name, /^(?:faults|browser|acceptance) /.test(name)])
  }
})

test('a line of a heavy file says how it shares the machine, with the reason', () => {
  const texts = [
    "test('Runs alone: no comment')",
    '// Runs alone: measures CPU time.\nimport x\n',
    'import x\n// Mostly waits: for an hour to pass.\n',
    '// Runs alone:\n',
  ]
  const heavy = texts.map((text, index) => ({ path: `tests/acceptance/${index}.test.ts`, text }))
  expect(planSuites(heavy).map(({ sharing }) => sharing)).toEqual(['busy', 'alone', 'waiting', 'busy'])
})

test('no files make no suites', () => {
  expect(planSuites([])).toEqual([])
})

test('a pattern keeps the files whose path holds it; no pattern keeps all', () => {
  expect(selectFiles(paths, ['acceptance/', 'vote'])).toEqual([
    'tests/acceptance/health.test.ts',
    'server/health/decide/vote.test.ts',
    'tests/acceptance/start.test.ts',
  ])
  expect(selectFiles(paths, [])).toEqual(paths)
  expect(selectFiles(paths, ['nowhere'])).toEqual([])
})
