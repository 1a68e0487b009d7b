import { describe, expect, test } from 'bun:test'

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
      reasons: [
        { at: 10, decision: 'LATENCY', reason: 'became LATENCY' },
        { at: 20, decision: 'DOWN', reason: 'became DOWN' },
        { at: 30, decision: 'LATENCY', reason: 'became LATENCY' },
      ],
      reasonsLeftOut: 0,
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

const because = (at: number, reason: string, to: Decision = 'DOWN', from: Decision = to): Transition => ({
  serviceId: 'node-a',
  at,
  from,
  to,
  reason,
  votes: [],
})

describe('a reason that changes', () => {
  const down = because(10, 'no connection', 'DOWN', 'UP')

  test('is told with the time since when, and is no transition', () => {
    const [incident] = incidentsOf([down, because(14, 'HTTP 502'), because(20, 'well', 'UP', 'DOWN')], [])
    expect(incident).toMatchObject({
      openedAt: 10,
      closedAt: 20,
      cause: 'no connection',
      transitions: 2,
      reasons: [
        { at: 10, decision: 'DOWN', reason: 'no connection' },
        { at: 14, decision: 'DOWN', reason: 'HTTP 502' },
      ],
    })
  })

  test('opens no incident where announced maintenance has ended meanwhile', () => {
    expect(incidentsOf([down, because(30, 'HTTP 502')], [{ from: 5, to: 20 }])).toEqual([])
  })

  test('without end is told by the first and the newest ones', () => {
    const flapping = Array.from({ length: 100 }, (_, index) => because(11 + index, `reason ${index % 2}`))
    const [incident] = incidentsOf([down, ...flapping], [])
    expect(incident?.reasons).toHaveLength(20)
    expect(incident?.reasons[0]).toMatchObject({ at: 10, reason: 'no connection' })
    expect(incident?.reasons.at(-1)?.at).toBe(110)
    expect(incident?.reasonsLeftOut).toBe(81)
    expect(incident?.transitions).toBe(1)
  })
})
