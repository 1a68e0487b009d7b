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

test('finds ids in titles of tests and groups, and in comments', () => {
  const comment = ['//', 'requirement: key-five, key-six'].join(' ')
  const text = `describe('[key-one] group', () => {
  test(\`a [key-two] and [key-three]\`, () => {})
  test.skipIf(!here)('where it can [key-four]', () => {})
  ${comment}
})`
  expect(citing(text).map(({ id, line }) => `${id}:${line}`)).toEqual([
    'key-one:1',
    'key-two:2',
    'key-three:2',
    'key-four:3',
    'key-five:4',
    'key-six:4',
  ])
})

test('a skipped test, other brackets and files that are no tests cite nothing', () => {
  expect(citing(`test.skip('[key-one]', f); test.todo('[key-two]')`)).toEqual([])
  expect(citing(`const a = '[key-one]'; expect('[key-two]')`)).toEqual([])
  expect(citing(`test('[2].rateLimit and [A-Z] and [word]', f)`)).toEqual([])
  expect(citing(`test('[key-one]', f)`, 'server/a.ts')).toEqual([])
})

test('an uncited requirement is missing once its issue is built, and open before', () => {
  const requirements = [
    requirement('built-cited', 1),
    requirement('built-forgotten', 1),
    requirement('later-one', 2),
  ]
  const coverage = coverageOf(requirements, citing(`test('[built-cited]', f)`), 1)
  expect(coverage.missing.map(({ id }) => id)).toEqual(['built-forgotten'])
  expect(coverage.open.map(({ id }) => id)).toEqual(['later-one'])
  expect(coverage.unknown).toEqual([])
})

test('a cited id that does not exist is found with its place', () => {
  const coverage = coverageOf([requirement('known-one', 1)], citing(`\ntest('[no-such-one]', f)`), 0)
  expect(coverage.unknown).toEqual([{ id: 'no-such-one', file: 'tests/a.test.ts', line: 2 }])
})

test('finds numbers of threats in titles of tests that run, and nowhere else', () => {
  const text = `describe('a (threat 4)', f); test.each([])('b (threats 17, 18)', f)
test.skip('c (threat 5)', f); test('400 of 6 (a 7)', f); const a = '(threat 8)'`
  expect([...findThreats([sourceFile('tests/a.test.ts', text)])]).toEqual([4, 17, 18])
  expect([...findThreats([sourceFile('server/a.ts', text)])]).toEqual([])
})
