import { expect, test } from 'bun:test'

import type { Requirement } from '../requirements/requirement.ts'
import { coverageOf, findCitations, findThreats } from './citations.ts'
import { sourceFile } from './source-file.ts'

const requirement = (id: string, issue: Requirement['issue']): Requirement => ({
  id,
  issue,
  section: 's',
  text: 't',
  decided: null,
})
const citing = (text: string, path = 'tests/a.test.ts') => findCitations([sourceFile(path, text)])

test('finds ids in the bodies of tests and groups', () => {
  const text = `describe('group', () => {
  covers('key-one')
  test('a', () => { covers('key-two', 'key-three') })
  test.skipIf(!here)('where it can', async () => {
    covers('key-four', 'threat-9')
  })
})`
  expect(citing(text).map(({ id, line }) => `${id}:${line}`)).toEqual([
    'key-one:2',
    'key-two:3',
    'key-three:3',
    'key-four:5',
  ])
})

test('a skipped test, other calls and files that are no tests cite nothing', () => {
  expect(
    citing(`test.skip('a', () => { covers('key-one') }); describe.todo('b', () => covers('key-two'))`),
  ).toEqual([])
  expect(citing(`const a = 'key-one'; uncovers('key-two'); test('[key-three]', f)`)).toEqual([])
  expect(citing(`test('a', () => { covers('key-one') })`, 'server/a.ts')).toEqual([])
})

test('an uncited requirement is missing once its issue is built, and open before', () => {
  const requirements = [
    requirement('built-cited', 1),
    requirement('built-forgotten', 1),
    requirement('later-one', 2),
  ]
  const coverage = coverageOf(requirements, citing(`test('a', () => { covers('built-cited') })`), 1)
  expect(coverage.missing.map(({ id }) => id)).toEqual(['built-forgotten'])
  expect(coverage.open.map(({ id }) => id)).toEqual(['later-one'])
  expect(coverage.unknown).toEqual([])
})

test('a cited id that does not exist is found with its place', () => {
  const coverage = coverageOf(
    [requirement('known-one', 1)],
    citing(`\ntest('a', () => { covers('no-such-one') })`),
    0,
  )
  expect(coverage.unknown).toEqual([{ id: 'no-such-one', file: 'tests/a.test.ts', line: 2 }])
})

test('finds numbers of threats in tests that run, and nowhere else', () => {
  const text = `describe('a', () => { covers('threat-4'); test.each([])('b', () => { covers('threat-17', 'key-one') }) })
test.skip('c', () => { covers('threat-5') }); const a = 'threat-8'`
  expect([...findThreats([sourceFile('tests/a.test.ts', text)])]).toEqual([4, 17])
  expect([...findThreats([sourceFile('server/a.ts', text)])]).toEqual([])
})
