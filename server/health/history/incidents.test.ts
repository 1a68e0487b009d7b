import { expect, test } from 'bun:test'

import type { Decision } from '../../../shared/health.ts'
import { incidentsOf } from './incidents.ts'
import type { Transition } from './transition.ts'

const path = (...steps: [number, Decision][]): Transition[] => {
  let from: Decision = 'UNKNOWN'
  return steps.map(([at, to]) => {
    const transition = { serviceId: 'node-a', at, from, to, reason: `became ${to}`, votes: [] }
    from = to
    return transition
  })
}

test('an incident goes from the first bad decision to UP and knows the worst of it', () => {
  expect(
    incidentsOf(path([1, 'UP'], [10, 'LATENCY'], [20, 'DOWN'], [30, 'LATENCY'], [40, 'UP']), []),
  ).toEqual([
    {
      serviceId: 'node-a',
      openedAt: 10,
      closedAt: 40,
      worst: 'DOWN',
      cause: 'became LATENCY',
      transitions: 4,
    },
  ])
})

test('one that lasts has no end, and each recovery begins a new one', () => {
  const incidents = incidentsOf(path([1, 'UP'], [10, 'DOWN'], [20, 'UP'], [30, 'LATENCY']), [])
  expect(incidents.map(({ openedAt, closedAt, worst }) => [openedAt, closedAt, worst])).toEqual([
    [10, 20, 'DOWN'],
    [30, null, 'LATENCY'],
  ])
})

test('UNKNOWN neither opens nor closes one', () => {
  expect(incidentsOf(path([1, 'UP'], [5, 'UNKNOWN'], [9, 'UP']), [])).toEqual([])
  const [incident] = incidentsOf(path([1, 'DOWN'], [5, 'UNKNOWN'], [9, 'DOWN'], [12, 'UP']), [])
  expect(incident).toMatchObject({ openedAt: 1, closedAt: 12, transitions: 4 })
})

test('what begins in announced maintenance is none', () => {
  expect(incidentsOf(path([1, 'UP'], [10, 'DOWN'], [20, 'UP']), [{ from: 10, to: 15 }])).toEqual([])
  expect(incidentsOf(path([1, 'UP'], [10, 'DOWN'], [20, 'UP']), [{ from: 11, to: 15 }])).toHaveLength(1)
})
