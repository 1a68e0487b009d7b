import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { healthOf, historyBatchOf, rollupOf, transitionOf } from '../test-support/history-fixtures.ts'
import { historyBatchSize, halveBatch, withoutService } from './divide-batch.ts'

const many = <Row>(count: number, make: (id: string, index: number) => Row) =>
  Array.from({ length: count }, (_, index) => make(`service-${index}`, index))
const count = fc.nat({ max: 6 })

const batches = fc.tuple(count, count, count).map(([healths, transitions, rollups]) =>
  historyBatchOf('batch', {
    healths: many(healths, (id) => healthOf(id)),
    transitions: many(transitions, (id, index) => transitionOf(id, index)),
    rollups: many(rollups, (id, index) => rollupOf(id, index)),
  }),
)

test('two halves are the whole, in its order, and each is smaller', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const halves = halveBatch(batch)
      if (halves === null) return expect(historyBatchSize(batch)).toBeLessThan(2)
      const [left, right] = halves
      expect([...left.healths, ...right.healths]).toEqual([...batch.healths])
      expect([...left.transitions, ...right.transitions]).toEqual([...batch.transitions])
      expect([...left.rollups, ...right.rollups]).toEqual([...batch.rollups])
      expect(Math.abs(historyBatchSize(left) - historyBatchSize(right))).toBeLessThanOrEqual(1)
    }),
  )
})

test('halves have ids of their own, the same ones every time', () => {
  const batch = historyBatchOf('batch', { transitions: many(4, (id, index) => transitionOf(id, index)) })
  const ids = (halveBatch(batch) ?? []).map(({ id }) => id)
  expect(new Set([batch.id, ...ids]).size).toBe(3)
  expect((halveBatch(batch) ?? []).map(({ id }) => id)).toEqual(ids)
})

test('a service can be taken out', () => {
  const two = ['a', 'b']
  const batch = historyBatchOf('batch', {
    healths: two.map((id) => healthOf(id)),
    transitions: two.map((id) => transitionOf(id, 1)),
    rollups: two.map((id) => rollupOf(id, 1)),
  })
  const { id, ...rows } = withoutService(batch, 'a')
  expect(id).toBe('batch')
  expect(
    Object.values(rows)
      .flat()
      .map(({ serviceId }) => serviceId),
  ).toEqual(['b', 'b', 'b'])
})
