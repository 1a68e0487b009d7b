import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { probeErrors } from '../../../shared/verifier-protocol.ts'
import { now, runs } from './test-support/arbitraries.ts'
import { addFailure, failureKind, isConfirmed, noFailures } from './failure-run.ts'
import type { FailureKind } from './failure-run.ts'

const usual = { downForMs: 20_000 }

/** Whether failures at these instants (ms after the first) prove that the service is down. */
function confirmed(kinds: FailureKind | readonly FailureKind[], instants: readonly number[], policy = usual) {
  let run = noFailures
  for (const [index, instant] of instants.entries()) {
    const kind = typeof kinds === 'string' ? kinds : (kinds[index] ?? 'soft')
    run = addFailure(run, kind, now + instant)
  }
  return isConfirmed(run, now + Math.max(...instants), policy)
}

const errorsOf = (kind: FailureKind) => probeErrors.filter((error) => failureKind(error) === kind)

test('what each failure proves', () => {
  expect(errorsOf('refused')).toEqual(['RATE_LIMITED'])
  expect(errorsOf('timeout')).toEqual(['TIMEOUT'])
  expect(errorsOf('hard')).toEqual(['DNS', 'CONNECT', 'TLS', 'WRONG_CHAIN', 'WRONG_GENESIS'])
  expect(failureKind(null)).toBe('soft')
})

test.each<[FailureKind | FailureKind[], number[], boolean, string]>([
  ['hard', [0, 1_000, 2_000, 3_000], true, 'four hard failures over 3 s'],
  ['hard', [0, 1_000, 2_000, 2_899], false, 'four in less'],
  ['hard', [0, 1_500, 3_000], false, 'three over 3 s'],
  ['timeout', [0, 5_000, 6_000, 7_000], true, 'four time-outs over 7 s'],
  ['timeout', [0, 1_000, 2_000, 3_000], false, 'four time-outs over 3 s'],
  [['hard', 'hard', 'timeout', 'hard'], [0, 1_000, 2_000, 3_000], false, 'a time-out makes it less certain'],
  [['hard', 'hard', 'timeout', 'hard'], [0, 1_000, 2_000, 7_000], true, 'but not for ever'],
  [['hard', 'soft', 'hard', 'hard'], [0, 1_000, 2_000, 30_000], false, 'an answer among them'],
  ['soft', [0, 1_000, 2_000, 60_000], false, 'useless answers wait for the hold of the policy'],
  ['refused', [0, 10_000, 20_000], true, 'three refusals over the hold'],
  ['refused', [0, 10_000, 19_999], false, 'three in less'],
  ['refused', [0, 60_000], false, 'two, however far apart'],
  [['refused', 'refused', 'hard', 'refused'], [0, 20_000, 30_000, 40_000], false, 'a failure begins anew'],
])('%p at %p ms: %p, %s', (kinds, instants, expected) => {
  expect(confirmed(kinds, instants)).toBe(expected)
})

test('a policy that asks for a longer hold asks for longer proofs, one that asks for less does not', () => {
  expect(confirmed('hard', [0, 1_000, 2_000, 17_000], { downForMs: 120_000 })).toBe(false)
  expect(confirmed('hard', [0, 1_000, 2_000, 18_000], { downForMs: 120_000 })).toBe(true)
  expect(confirmed('hard', [0, 100, 200, 300], { downForMs: 0 })).toBe(false)
  expect(confirmed('refused', [0, 1, 2], { downForMs: 0 })).toBe(true)
})

test('the order in which failures are reported does not matter', () => {
  const kind = fc.constantFrom<FailureKind>('hard', 'timeout', 'soft')
  const failures = fc.array(fc.tuple(kind, fc.nat(60_000)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(failures, (list) => {
      const runOf = (order: typeof list) =>
        order.reduce((run, [what, at]) => addFailure(run, what, now + at), noFailures)
      expect(runOf(list.toReversed())).toEqual(runOf(list))
    }),
    runs,
  )
})
