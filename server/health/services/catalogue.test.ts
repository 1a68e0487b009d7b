import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { serviceOf } from '../test-support/fixtures.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'

test('a service that is replaced keeps its slot; one that goes frees it', () => {
  const catalogue = createCatalogue()
  const { slot } = catalogue.put(serviceOf('a'))
  const replaced = catalogue.put(serviceOf('a', { name: 'renamed' }))
  expect(replaced.slot).toBe(slot)
  expect(catalogue.at(slot)?.service.name).toBe('renamed')
  expect(catalogue.remove('a')?.slot).toBe(slot)
  expect(catalogue.remove('a')).toBeUndefined()
  expect(catalogue.put(serviceOf('b')).slot).toBe(slot)
})

/** A map from id to name is all that a catalogue is; slots are checked against each other. */
type Model = Map<string, string>
const services = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, serviceOf(id)]))
const ids = fc.constantFrom(...services.keys())

function expectSame(model: Model, real: Catalogue, most: { size: number }): void {
  most.size = Math.max(most.size, model.size)
  const listed = [...real.all()]
  expect(new Map(listed.map(({ service }) => [service.id, service.name]))).toEqual(model)
  expect(new Set(listed.map(({ slot }) => slot)).size).toBe(model.size)
  for (const entry of listed)
    expect([real.find(entry.service.id), real.at(entry.slot)]).toEqual([entry, entry])
  expect(real.slots).toBe(most.size) // slots are used again before new ones are made
}

test('whatever comes and goes, everything is found, and no slot is wasted or shared', () => {
  const moves = fc.array(fc.record({ id: ids, name: fc.constantFrom('one', 'two'), isPut: fc.boolean() }), {
    maxLength: 80,
  })
  fc.assert(
    fc.property(moves, (steps) => {
      const real = createCatalogue()
      const model: Model = new Map()
      const most = { size: 0 }
      for (const { id, name, isPut } of steps) {
        const service = services.get(id)
        if (isPut && service) {
          const before = real.find(id)?.slot
          const { slot } = real.put({ ...service, name })
          expect(slot).toBe(before ?? slot)
          model.set(id, name)
        } else {
          expect(real.remove(id) !== undefined).toBe(model.delete(id))
        }
        expectSame(model, real, most)
      }
    }),
  )
})
