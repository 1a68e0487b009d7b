import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Family } from '../../../shared/chains.ts'
import { verifierOf } from '../test-support/fixtures.ts'
import { createActiveVerifiers } from './active-verifiers.ts'

test('assigned are those of the family that have ever reported', () => {
  const activeVerifiers = createActiveVerifiers()
  activeVerifiers.put(verifierOf('a', { families: ['evm', 'http'] }))
  activeVerifiers.put(verifierOf('b', { families: ['http'] }))
  activeVerifiers.put(verifierOf('c', { families: ['http'], lastSeenAt: null }))
  const assigned = (...families: Family[]) =>
    families.map((family) => activeVerifiers.assigned(family, 1_000))
  expect(assigned('evm', 'http', 'near')).toEqual([1, 2, 0])
  activeVerifiers.revoke('a')
  expect(assigned('evm', 'http')).toEqual([0, 1])
})

test('a newcomer is assigned once it has had the time to look at everything', () => {
  const activeVerifiers = createActiveVerifiers()
  activeVerifiers.put(verifierOf('a', { families: ['http'] }))
  const newcomer = activeVerifiers.put(verifierOf('b', { families: ['http'], lastSeenAt: null }))
  expect(activeVerifiers.assigned('http', 60_000)).toBe(1)
  newcomer.joinedAt = 40_000
  activeVerifiers.changed()
  expect([39_999, 40_000, 60_000].map((joinedBy) => activeVerifiers.assigned('http', joinedBy))).toEqual([
    1, 2, 2,
  ])
})

test('a revoked verifier is known by id only, and one that never was not at all', () => {
  const activeVerifiers = createActiveVerifiers()
  const { column } = activeVerifiers.put(verifierOf('a'))
  expect(activeVerifiers.revoke('a')?.column).toBe(column)
  expect(activeVerifiers.find('a')).toBeUndefined()
  expect(activeVerifiers.atColumn(column)).toBeUndefined()
  expect([activeVerifiers.isRevoked('a'), activeVerifiers.isRevoked('b')]).toEqual([true, false])
  expect(activeVerifiers.revoke('b')).toBeUndefined()
})

test('a stale view is one of any chain', () => {
  const entry = createActiveVerifiers().put(verifierOf('a'))
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
      const activeVerifiers = createActiveVerifiers()
      const present = new Set<number>()
      let most = 0
      for (const { id, isPut } of steps) {
        if (isPut) {
          activeVerifiers.put(verifierOf(String(id), { publicKey }))
          present.add(id)
        } else {
          activeVerifiers.revoke(String(id))
          present.delete(id)
        }
        most = Math.max(most, present.size)
        const columns = [...activeVerifiers.all()].map(({ column }) => column)
        expect(new Set(columns).size).toBe(present.size)
        expect(Math.max(-1, ...columns)).toBeLessThan(most)
        for (const entry of activeVerifiers.all()) expect(activeVerifiers.atColumn(entry.column)).toBe(entry)
      }
    }),
  )
})

test('a verifier that was silent for long counts for no quorum until it reports again', () => {
  const activeVerifiers = createActiveVerifiers()
  const silent = activeVerifiers.put(verifierOf('silent', { lastSeenAt: 1_000 }))
  activeVerifiers.put(verifierOf('alive', { lastSeenAt: 5_000 }))
  activeVerifiers.put(verifierOf('new', { lastSeenAt: null }))
  expect(activeVerifiers.assigned('evm', 6_000)).toBe(2)
  expect(activeVerifiers.setAside(2_000)).toEqual([silent])
  expect(activeVerifiers.setAside(2_000)).toEqual([])
  expect(activeVerifiers.assigned('evm', 6_000)).toBe(1)
  silent.joinedAt = 7_000
  activeVerifiers.changed()
  expect(activeVerifiers.assigned('evm', 7_000)).toBe(2)
})
