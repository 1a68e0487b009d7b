import { expect, test } from 'bun:test'

import type { Decision } from '../../../shared/health.ts'
import { type Occurrence, missedFaults, wrongDecisions } from './judge.ts'
import type { SeenDecision } from './timeline.ts'

const fault: Occurrence = {
  fault: 'killed',
  serviceId: 'a',
  family: 'evm',
  expected: 'DOWN',
  beganAt: 1_000,
  decidedAt: 2_000,
  endedAt: 3_000,
  recoveredAt: 4_000,
}
const seen = (...decisions: [at: number, decision: Decision][]): Map<string, SeenDecision[]> =>
  new Map([['a', decisions.map(([at, decision]) => ({ at, decision }))]])
const wrong = (decisions: ReturnType<typeof seen>, occurrence: Occurrence = fault) =>
  wrongDecisions(decisions, [occurrence], [{ beganAt: 100_000, endedAt: 110_000 }], 0).map(({ at }) => at)

test('what a fault explains is right, from its begin until the service is UP again', () => {
  expect(wrong(seen([0, 'UP'], [1_500, 'LATENCY'], [2_000, 'DOWN'], [4_000, 'UP']))).toEqual([])
})

test.each([
  ['before the fault', seen([999, 'DOWN']), [999]],
  ['after it', seen([4_001, 'DOWN']), [4_001]],
  ['of another service', new Map([['b', [{ at: 2_000, decision: 'DOWN' }]]] as const), [2_000]],
  ['UNKNOWN without an outage', seen([2_000, 'UNKNOWN']), [2_000]],
] as const)('a decision is wrong: %s', (_, decisions, found) => {
  expect(wrong(decisions as ReturnType<typeof seen>)).toEqual([...found])
})

test('a fault that must change nothing explains nothing, and one that makes late does not make DOWN', () => {
  expect(wrong(seen([2_000, 'LATENCY']), { ...fault, expected: 'UP' })).toEqual([2_000])
  expect(wrong(seen([2_000, 'DOWN']), { ...fault, expected: 'LATENCY' })).toEqual([2_000])
})

test('nothing is known while no verifier has a network, and not for ever after', () => {
  expect(wrong(seen([100_000, 'UNKNOWN'], [155_000, 'UNKNOWN'], [155_001, 'UNKNOWN']))).toEqual([155_001])
  expect(wrong(seen([105_000, 'DOWN']))).toEqual([105_000])
})

test('a fault that was not decided in time is missed', () => {
  expect(missedFaults([fault, { ...fault, decidedAt: null }])).toHaveLength(1)
  expect(missedFaults([{ ...fault, expected: 'UP', decidedAt: null }])).toEqual([])
})
