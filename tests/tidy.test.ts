import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'

import { noDeadFiles } from './gates/dead-files.ts'
import { violationsOf } from './gates/rule.ts'
import { readSourceFiles } from './gates/source-file.ts'
import { tidyRules } from './gates/tidy-rules.ts'
import { machinePathsIn, missingPaths, strayTopLevelEntries } from './gates/tree-rules.ts'

const files = await readSourceFiles(['server', 'shared', 'console', 'scripts', 'tests'])

for (const rule of [...tidyRules, noDeadFiles]) {
  test(`nothing breaks ${rule.name}`, () => {
    expect(violationsOf([rule], files)).toEqual([])
  })
}

test('the top level holds only what belongs there', () => {
  expect(strayTopLevelEntries(readdirSync('.'))).toEqual([])
})

test('every path that the README names exists', async () => {
  const readme = existsSync('README.md') ? await Bun.file('README.md').text() : ''
  expect(missingPaths(readme, existsSync)).toEqual([])
})

test('no file holds the path of a machine', async () => {
  const pattern =
    '{*.{json,md,toml},Dockerfile,.ci/*,{server,shared,console,scripts,tests,deploy}/**/*.{ts,vue,sh,css,html,yaml,yml,md,sql}}'
  const found: string[] = []
  for await (const path of new Bun.Glob(pattern).scan({ dot: true })) {
    found.push(...machinePathsIn(path, await Bun.file(path).text()))
  }
  expect(found).toEqual([])
})
