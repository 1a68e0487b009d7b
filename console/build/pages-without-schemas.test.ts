import { expect, test } from 'bun:test'

import { wayToZod } from './pages-without-schemas.ts'

const chunk = (name: string, imports: readonly string[], moduleIds: readonly string[] = []) => ({
  name,
  fileName: `${name}.js`,
  imports: imports.map((imported) => `${imported}.js`),
  moduleIds: [...moduleIds],
})
const schemas = chunk('schemas', [], ['/src/node_modules/zod/v4/core/schemas.js'])

test('a page that loads zod through what pages share is named with the way', () => {
  const way = wayToZod([chunk('KeysPage', ['common']), chunk('common', ['schemas']), schemas])
  expect(way).toEqual(['KeysPage.js', 'common.js', 'schemas.js'])
})

test('a form that a page opens may, and files that import each other end', () => {
  const chunks = [
    chunk('index', ['common']),
    chunk('KeysPage', ['common']),
    chunk('common', ['index']),
    chunk('KeyDrawer', ['common', 'schemas']),
    schemas,
  ]
  expect(wayToZod(chunks)).toBeNull()
})
