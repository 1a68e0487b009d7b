import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

import { createMetrics } from '../platform/metrics.ts'
import { createHealthMetrics } from './metrics.ts'
import { createVirtualClock, someInstant } from './test-support/virtual-clock.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

test('a verifier is live for as long as nothing more is expected of it', async () => {
  const metrics = createMetrics()
  const numbers = createHealthMetrics(metrics)
  const seen = {
    lastSeenAt: someInstant - 600_000,
    silentAt: someInstant + 1,
    isSetAside: false,
    isIsolated: false,
    isEjected: false,
    hasStaleView: false,
  }
  const verifier = {
    ...seen,
    id: 'ver',
    name: 'ver',
    region: '',
    version: '1',
    families: [],
    isBuiltIn: false,
    createdAt: 0,
  }
  numbers.start({
    services: () => [],
    verifiers: () => [verifier, { ...verifier, silentAt: null }, { ...verifier, silentAt: someInstant }],
    decisions: { read: () => ({ decision: 'UP' }), views: () => [].values(), facts: () => null },
    clock: createVirtualClock(),
  })
  jest.advanceTimersByTime(5_000)
  numbers.stop()
  const page = await metrics.render()
  expect(page).toContain('gatehouse_health_verifiers{state="live"} 2')
  expect(page).toContain('gatehouse_health_verifiers{state="silent"} 1')
})
