import { expect, test } from 'bun:test'
import fc from 'fast-check'

import type { Decision } from '../../shared/health.ts'
import { byUrgency, countByDecision, steadyOrder } from './rank.ts'

const row = (id: string, decision: Decision, decisionSince: number | null = 0) => ({
  id,
  name: id,
  decision,
  decisionSince,
})

test('the worst first, of these the newest, then by name', () => {
  const rows = [
    row('up-2', 'UP'),
    row('latency', 'LATENCY'),
    row('up-10', 'UP'),
    row('unknown', 'UNKNOWN', null),
    row('down-old', 'DOWN', 100),
    row('down-new', 'DOWN', 200),
  ]
  expect(rows.sort(byUrgency).map(({ id }) => id)).toEqual([
    'down-new',
    'down-old',
    'unknown',
    'latency',
    'up-2',
    'up-10',
  ])
})

test('counts every decision, also those that nobody has', () => {
  expect(countByDecision([row('a', 'UP'), row('b', 'UP'), row('c', 'DOWN')])).toEqual({
    UNKNOWN: 0,
    UP: 2,
    DOWN: 1,
    LATENCY: 0,
  })
})

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
const named = (list: readonly string[]) => list.map((id) => ({ id }))

test('while it is held nothing moves: what stays keeps its order, what is new comes last', () => {
  fc.assert(
    fc.property(ids, ids, (shown, wanted) => {
      const held = steadyOrder(shown, named(wanted), true).map(({ id }) => id)
      expect(held.toSorted()).toEqual(wanted.toSorted())
      if (shown.length === 0) return
      const kept = shown.filter((id) => wanted.includes(id))
      expect(held.slice(0, kept.length)).toEqual(kept)
    }),
  )
})

test('let go, the wanted order holds', () => {
  const wanted = named(['b', 'a'])
  expect(steadyOrder(['a', 'b'], wanted, false)).toBe(wanted)
})
