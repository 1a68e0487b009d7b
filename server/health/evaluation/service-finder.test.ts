import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { serviceOf } from '../test-support/fixtures.ts'
import { createCatalogue } from '../services/catalogue.ts'
import { createServiceFinder } from './ingest.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), id }),
  fc.record({ kind: fc.constant('remove' as const), id }),
  fc.record({ kind: fc.constant('find' as const), ids: fc.array(id, { maxLength: 4 }) }),
)

test('finds what the catalogue finds, in whatever order services are named, come and go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const catalogue = createCatalogue()
      const finder = createServiceFinder(catalogue)
      for (const now of steps) {
        if (now.kind === 'put') catalogue.put(serviceOf(now.id))
        else if (now.kind === 'remove') catalogue.remove(now.id)
        else expect(finder.find('chain', now.ids)).toEqual(now.ids.map(catalogue.find))
      }
    }),
  )
})

test('does not look up again what comes as it did last time', () => {
  const lookedUp: string[] = []
  const finder = createServiceFinder({
    version: 1,
    find(name) {
      lookedUp.push(name)
      return undefined
    },
  })
  const find = (purpose: string, ids: string[]) => {
    finder.find(purpose, ids)
    return lookedUp.splice(0)
  }
  expect(find('one', ['a', 'b'])).toEqual(['a', 'b'])
  expect(find('two', ['a'])).toEqual(['a'])
  expect(find('one', ['a', 'b'])).toEqual([])
  expect(find('one', ['b', 'a'])).toEqual(['b', 'a'])
})

test('forgets all lists when a verifier has made up too many chains', () => {
  let lookUps = 0
  const finder = createServiceFinder({ version: 1, find: () => void (lookUps += 1) })
  for (let chain = 0; chain < 10_000; chain++) finder.find(`made-up-${chain}`, ['a'])
  const before = lookUps
  finder.find('made-up-0', ['a'])
  expect(lookUps).toBe(before + 1)
})
