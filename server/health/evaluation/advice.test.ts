import { expect, test } from 'bun:test'

import { dayMs } from '../../../shared/durations.ts'
import type { ServiceFacts } from '../../../shared/service-facts.ts'
import { serviceOf } from '../test-support/fixtures.ts'
import { someInstant as now } from '../test-support/virtual-clock.ts'
import { adviceOf } from './advice.ts'
import { addProbe } from './effective-observation.ts'
import { type TryWindow, noMemory, noProbes } from './latest-observation.ts'
import { createObservationTable } from './observation-table.ts'
import { recentTries } from './recent-tries.ts'

const good = { count: 30, failed: 0, behind: 0 }
const knowing = (facts: ServiceFacts) => ({ facts, at: now, verifierIds: ['v0'], address: null })
const endingIn = (days: number) =>
  knowing({ certificateExpiresAt: Math.floor((now + days * dayMs) / 1_000) + 60 })

test('a certificate is worth a word from two weeks before its end, and when it is refused', () => {
  expect(adviceOf(null, good, now)).toEqual([])
  expect(adviceOf(endingIn(15), good, now)).toEqual([])
  expect(adviceOf(endingIn(12), good, now)).toEqual([{ kind: 'certificateEnds', days: 12 }])
  expect(adviceOf(endingIn(-1), good, now)).toEqual([{ kind: 'certificateEnds', days: 0 }])
  const refused = knowing({ certificateProblem: 'EXPIRED' })
  expect(adviceOf(refused, good, now)).toEqual([{ kind: 'certificateRefused' }])
})

test.each([
  ['one failure of thirty', { count: 30, failed: 1, behind: 0 }, false],
  ['one answer of ten', { count: 10, failed: 0, behind: 1 }, true],
  ['a failure and a late answer of twenty', { count: 20, failed: 1, behind: 1 }, true],
  ['too few to tell', { count: 4, failed: 4, behind: 0 }, false],
  ['nothing', { count: 0, failed: 0, behind: 0 }, false],
])('of tries, %s: %p', (_, tries, isWorthIt) => {
  expect(adviceOf(null, tries, now)).toEqual(isWorthIt ? [{ kind: 'answersDiffer', ...tries }] : [])
})

test('tries are those of the verifiers that still report, second tries included', () => {
  const table = createObservationTable()
  const listed = { slot: 3, service: serviceOf('a') }
  const seen = { at: now, ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 5 }
  const remember = (column: number, window: TryWindow, at = now) =>
    table.write(3, column, { ...seen, at }, { ...noMemory, window })
  const retried = addProbe(noProbes, 'good', true)
  remember(0, addProbe(addProbe(retried, 'behind', false), 'bad', true))
  remember(1, addProbe(noProbes, 'good', false))
  remember(2, addProbe(noProbes, 'bad', true), now - 3_600_000)
  expect(recentTries(table, listed, now)).toEqual({ count: 6, failed: 3, behind: 1 })
})
