import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

import { noDeadFiles } from './gates/dead-files.ts'
import { violationsOf } from './gates/rule.ts'
import { readSourceFiles } from './gates/source-file.ts'
import { tidyRules } from './gates/tidy-rules.ts'
import { noTwinFunctions } from './gates/twin-functions.ts'
import {
  documents,
  machinePathsIn,
  missingNames,
  missingPaths,
  strayTopLevelEntries,
  writtenFiles,
} from './gates/tree-rules.ts'

const files = await readSourceFiles(['server', 'shared', 'console', 'scripts', 'tests'])

for (const rule of [...tidyRules, noDeadFiles, noTwinFunctions]) {
  test(`nothing breaks ${rule.name}`, () => {
    expect(violationsOf([rule], files)).toEqual([])
  })
}

test('the top level holds only what belongs there', () => {
  expect(strayTopLevelEntries(readdirSync('.'))).toEqual([])
})

test('every path that a document names exists', () => {
  const paths = documents()
  expect(paths).toContain('README.md')
  expect(paths.flatMap((path) => missingPaths(path, readFileSync(path, 'utf8'), existsSync))).toEqual([])
})

test('every function that the README of the server names is in its file', () => {
  const text = readFileSync('server/README.md', 'utf8')
  expect(text.match(/\| `[\w./-]+\.ts` +\| `\w+` +\|/g)?.length).toBeGreaterThanOrEqual(30)
  expect(missingNames(text, (path) => readFileSync(path, 'utf8'))).toEqual([])
})

test('no file holds the path of a machine', () => {
  const paths = writtenFiles()
  expect(paths).toEqual(expect.arrayContaining(['package.json', '.ci/run', 'server/main.ts', 'README.md']))
  expect(paths.flatMap((path) => machinePathsIn(path, readFileSync(path, 'utf8')))).toEqual([])
})
