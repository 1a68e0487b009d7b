import { expect, test } from 'bun:test'

import { coverageOf, findCitations, findThreats } from './gates/citations.ts'
import { readSourceFiles } from './gates/source-file.ts'
import { builtThrough, decisionAreas, requirements } from './requirements.ts'
import { decisionsDocument } from './requirements/document.ts'
import { threats } from './requirements/threats.ts'

const files = await readSourceFiles(['server', 'shared', 'console', 'scripts', 'tests'])
const { unknown, missing, open } = coverageOf(requirements, findCitations(files), builtThrough)

test('every id is unique and made of lower-case words with hyphens between', () => {
  const ids = requirements.map((requirement) => requirement.id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([])
})

test('what the specification does not show is decided, and nothing else is', () => {
  const undecided = requirements.filter(
    ({ text, decided }) => text.endsWith(': not shown') !== (decided !== null),
  )
  expect(undecided).toEqual([])
})

test('the document of the decisions is current: `npm run decisions` writes it', async () => {
  const written = await Bun.file('tests/requirements/README.md').text()
  expect(written).toBe(decisionsDocument(decisionAreas))
})

test('tests cite only requirements that exist', () => {
  expect(unknown).toEqual([])
})

test('every requirement of a finished issue is cited by a test', () => {
  for (const issue of [1, 2, 3, 4]) {
    const count = open.filter((requirement) => requirement.issue === issue).length
    if (count > 0)
      process.stdout.write(`specification: ${count} requirements of issue ${issue} are not cited yet\n`)
  }
  expect(missing.map((requirement) => requirement.id)).toEqual([])
})

test('every threat is cited by a test, and tests cite only those there are', () => {
  const cited = findThreats(files)
  expect([...threats].filter(([number]) => !cited.has(number))).toEqual([])
  expect([...cited].filter((number) => !threats.has(number))).toEqual([])
})
