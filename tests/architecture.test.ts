import { expect, test } from 'bun:test'

import { createdBeforeUsed } from './gates/creation-order.ts'
import { noCycles } from './gates/cycles.ts'
import { importRules } from './gates/import-rules.ts'
import { inputRules } from './gates/input-rules.ts'
import { outsideWorldRules } from './gates/outside-world-rules.ts'
import { purityRules } from './gates/purity-rules.ts'
import { violationsOf } from './gates/rule.ts'
import { sameNameRules } from './gates/same-name-rules.ts'
import { shapeRules } from './gates/shape-rules.ts'
import { readSourceFiles } from './gates/source-file.ts'

const files = await readSourceFiles(['server', 'shared', 'console', 'scripts', 'tests'])
const rules = [
  ...importRules,
  noCycles,
  createdBeforeUsed,
  ...purityRules,
  ...outsideWorldRules,
  ...shapeRules,
  ...inputRules,
  ...sameNameRules,
]

test('the tree was read, with the imports between its files', () => {
  const paths = new Set(files.map((file) => file.path))
  expect(paths.has('shared/health.ts')).toBe(true)
  const edges = files.flatMap((file) => file.imports).filter((edge) => paths.has(edge.target ?? ''))
  expect(edges.length).toBeGreaterThan(files.length / 2)
})

for (const rule of rules) {
  test(`nothing breaks ${rule.name}`, () => {
    expect(violationsOf([rule], files)).toEqual([])
  })
}
