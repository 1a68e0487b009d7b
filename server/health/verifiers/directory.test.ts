import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Family } from '../../../shared/chains.ts'
import { verifierOf } from '../test-support/fixtures.ts'
import { createDirectory } from './directory.ts'

test('assigned are those of the family that have ever reported', () => {
  const directory = createDirectory()
  directory.put(verifierOf('a', { families: ['evm', 'http'] }))
  directory.put(verifierOf('b', { families: ['http'] }))
  directory.put(verifierOf('c', { families: ['http'], lastSeenAt: null }))
  const assigned = (...families: Family[]) => families.map((family) => directory.assigned(family, 1_000))
  expect(assigned('evm', 'http', 'near')).toEqual([1, 2, 0])
  directory.revoke('a')
  expect(assigned('evm', 'http')).toEqual([0, 1])
})

test('a newcomer is assigned once it has had the time to look at everything', () => {
  const directory = createDirectory()
  directory.put(verifierOf('a', { families: ['http'] }))
  const newcomer = directory.put(verifierOf('b', { families: ['http'], lastSeenAt: null }))
  expect(directory.assigned('http', 60_000)).toBe(1)
  newcomer.joinedAt = 40_000
  directory.changed()
  expect([39_999, 40_000, 60_000].map((joinedBy) => directory.assigned('http', joinedBy))).toEqual([1, 2, 2])
})

test('a revoked verifier is known by id only, and one that never was not at all', () => {
  const directory = createDirectory()
  const { column } = directory.put(verifierOf('a'))
  expect(directory.revoke('a')?.column).toBe(column)
  expect(directory.find('a')).toBeUndefined()
  expect(directory.atColumn(column)).toBeUndefined()
  expect([directory.isRevoked('a'), directory.isRevoked('b')]).toEqual([true, false])
  expect(directory.revoke('b')).toBeUndefined()
})

test('a stale view is one of any chain', () => {
  const entry = createDirectory().put(verifierOf('a'))
  entry.staleChains.add('x').add('y').delete('x')
  expect(entry.hasStaleView).toBe(true)
  entry.staleChains.delete('y')
  expect(entry.hasStaleView).toBe(false)
})

test('whoever comes and goes: no two share a column, and columns are used again', () => {
  const { publicKey } = verifierOf('any')
  const moves = fc.array(fc.record({ id: fc.integer({ min: 0, max: 9 }), isPut: fc.boolean() }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(moves, (steps) => {
      const directory = createDirectory()
      const present = new Set<number>()
      let most = 0
      for (const { id, isPut } of steps) {
        if (isPut) {
          directory.put(verifierOf(String(id), { publicKey }))
          present.add(id)
        } else {
          directory.revoke(String(id))
          present.delete(id)
        }
        most = Math.max(most, present.size)
        const columns = [...directory.all()].map(({ column }) => column)
        expect(new Set(columns).size).toBe(present.size)
        expect(Math.max(-1, ...columns)).toBeLessThan(most)
        for (const entry of directory.all()) expect(directory.atColumn(entry.column)).toBe(entry)
      }
    }),
  )
})
