import { expect, test } from 'bun:test'

import type { Decision } from '../../../shared/health.ts'
import { now, policy } from '../decide/test-support/arbitraries.ts'
import { type HealthState, type KnownDecision, initial, step } from '../decide/state-machine.ts'
import { pendingChange } from './pending-change.ts'

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
  return pendingChange({ state, failingSince: null }, at, policy)
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
  expect(pendingAfter(...signals)).toEqual({ to, heldMs, neededMs })
}) // prettier-ignore

test('UNKNOWN that fails, since its first failure', () => {
  const evaluation = { state: initial(now), failingSince: now - 7_000 }
  expect(pendingChange(evaluation, now, policy)).toEqual({ to: 'DOWN', heldMs: 7_000, neededMs: 20_000 })
  expect(pendingChange({ ...evaluation, failingSince: null }, now, policy)).toBeNull()
})

test('what is needed grows for a service that flaps', () => {
  const flapping = pendingAfter(['DOWN', 40], ['UP', 40], ['DOWN', 40], ['UP', 13])
  expect(flapping).toEqual({ to: 'UP', heldMs: 12_000, neededMs: 60_000 })
})
