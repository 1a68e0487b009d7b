import { expect, test } from 'bun:test'

import { sourceFile } from './source-file.ts'

const importsOf = (path: string, text: string): unknown[] =>
  sourceFile(path, text).imports.map(({ target, specifier, typeOnly, names, line }) => [
    target ?? specifier,
    typeOnly,
    names.join(' '),
    line,
  ])

test('reads every form of import, with its kind, names and line', () => {
  const text = `import type { A } from './a.ts'
import { type B, type C as D } from '../b.ts'
import { type E, f } from './e.ts'
import g, * as h from 'pkg'
import './side.ts'
export { i as j } from './i.ts'
export type { K } from './k.ts'
const later = import('./later.ts')
type L = import('../l.ts').L
const worker = new URL('./worker.ts', import.meta.url)
`
  expect(importsOf('server/x/y.ts', text)).toEqual([
    ['server/x/a.ts', true, 'A', 1],
    ['server/b.ts', true, 'B C', 2],
    ['server/x/e.ts', false, 'E f', 3],
    ['pkg', false, 'default *', 4],
    ['server/x/side.ts', false, '', 5],
    ['server/x/i.ts', false, 'i', 6],
    ['server/x/k.ts', true, 'K', 7],
    ['server/x/later.ts', false, '*', 8],
    ['server/l.ts', true, 'L', 9],
    ['server/x/worker.ts', false, '', 10],
  ])
})

test('text that only looks like an import is none', () => {
  expect(
    importsOf('a.ts', `// import { a } from './b.ts'\nconst text = "import { a } from './b.ts'"`),
  ).toEqual([])
})

test('reads all script blocks of a Vue file at their own lines', () => {
  const text = `<script lang="ts">
export const a = 1
</script>
<script setup lang="ts">
import { b } from './b.ts'
</script>
<template>
  <p>import { c } from './c.ts'</p>
</template>
`
  expect(importsOf('console/App.vue', text)).toEqual([['console/b.ts', false, 'b', 5]])
})
