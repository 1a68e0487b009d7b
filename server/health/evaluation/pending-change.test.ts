import { describe, expect, test } from 'bun:test'

import type { Decision } from '../../../shared/health.ts'
import { now, policy } from '../decide/test-support/arbitraries.ts'
import { type HealthState, type KnownDecision, initial, step } from '../decide/state-machine.ts'
import type { FailureRun } from '../decide/failure-run.ts'
import { pendingChange } from './pending-change.ts'

const nothingProven = () => ({ runs: [], liveVerifiers: 3 })

type Signals = readonly (readonly [raw: Decision, seconds: number])[]

/** Returns the state after raw signals, each of which lasts for some seconds. It begins with UP. */
function after(signals: Signals): { state: HealthState; at: number } {
  let state = step(initial(now), 'UP', now, policy)
  let at = now
  for (const [raw, seconds] of signals) {
    for (let second = 0; second < seconds; second++) {
      at += 1_000
      state = step(state, raw, at, policy)
    }
  }
  return { state, at }
}

const pendingAfter = (...signals: Signals) => {
  const { state, at } = after(signals)
  return pendingChange({ state, failingSince: null }, at, policy, nothingProven)
}

test('nothing while the votes say what is published', () => {
  expect(pendingAfter()).toBeNull()
  expect(pendingAfter(['UP', 5])).toBeNull()
  expect(pendingAfter(['DOWN', 40])).toBeNull()
})

test.each<[string, Signals, KnownDecision, number, number]>([
  ['UP that fails', [['DOWN', 6]], 'DOWN', 5_000, 20_000],
  ['UP that lags', [['LATENCY', 6]], 'LATENCY', 5_000, 30_000],
  ['UP that lags and then fails', [['LATENCY', 20], ['DOWN', 4]], 'DOWN', 3_000, 20_000],
  ['DOWN that answers', [['DOWN', 40], ['UP', 13]], 'UP', 12_000, 30_000],
  ['DOWN that lags', [['DOWN', 40], ['LATENCY', 13]], 'LATENCY', 12_000, 30_000],
  ['LATENCY that has caught up', [['LATENCY', 40], ['UP', 13]], 'UP', 12_000, 30_000],
  ['LATENCY that fails', [['LATENCY', 40], ['DOWN', 3]], 'DOWN', 2_000, 20_000],
])('%s', (_, signals, to, heldMs, neededMs) => {
  expect(pendingAfter(...signals)).toMatchObject({ to, heldMs, neededMs })
}) // prettier-ignore

test('UNKNOWN that fails, since its first failure', () => {
  const evaluation = { state: initial(now), failingSince: now - 7_000 }
  expect(pendingChange(evaluation, now, policy, nothingProven)).toEqual({
    to: 'DOWN',
    since: now - 7_000,
    heldMs: 7_000,
    neededMs: 20_000,
  })
  expect(pendingChange({ ...evaluation, failingSince: null }, now, policy, nothingProven)).toBeNull()
})

test('what is needed grows for a service that flaps', () => {
  const flapping = pendingAfter(['DOWN', 40], ['UP', 40], ['DOWN', 40], ['UP', 13])
  expect(flapping).toMatchObject({ to: 'UP', heldMs: 12_000, neededMs: 60_000 })
})

const failing = (run: Partial<FailureRun>, sinceMs: number): FailureRun => ({
  kind: 'hard',
  count: 2,
  startedAt: now - sinceMs,
  ...run,
})
const waiting = (runs: FailureRun[], { failedForMs = 1_500, liveVerifiers = 1 } = {}) =>
  pendingChange({ state: initial(now), failingSince: now - failedForMs }, now, policy, () => ({
    runs,
    liveVerifiers,
  }))

describe('failures that prove DOWN by themselves', () => {
  test('are what is waited for, for they publish sooner than the hold', () => {
    expect(waiting([failing({}, 1_500)])).toEqual({
      to: 'DOWN',
      since: now - 1_500,
      heldMs: 1_500,
      neededMs: 2_900,
      failures: { count: 2, needed: 4 },
    })
    expect(waiting([failing({ kind: 'timeout', count: 1 }, 1_500)])).toMatchObject({ neededMs: 6_900 })
  })

  test('are not where an answer came, however useless, nor where the retests are overdue', () => {
    const byHold = { to: 'DOWN', since: now - 1_500, heldMs: 1_500, neededMs: 20_000 } as const
    expect(waiting([failing({ kind: 'soft' }, 1_500)])).toEqual(byHold)
    expect(waiting([failing({ count: 1 }, 6_000)], { failedForMs: 6_000 })).toEqual({
      ...byHold,
      since: now - 6_000,
      heldMs: 6_000,
    })
  })

  test('must be those of a majority', () => {
    const [first, second] = [failing({ count: 4 }, 3_000), failing({ count: 1 }, 400)]
    expect(waiting([first], { liveVerifiers: 3 })).toMatchObject({ neededMs: 20_000 })
    expect(waiting([first, second], { liveVerifiers: 3 })).toMatchObject({
      heldMs: 400,
      failures: { count: 1, needed: 4 },
    })
  })

  test('do not matter once the hold is nearly over', () => {
    expect(waiting([failing({ count: 1 }, 100)], { failedForMs: 19_000 })).toEqual({
      to: 'DOWN',
      since: now - 19_000,
      heldMs: 19_000,
      neededMs: 20_000,
    })
  })
})
