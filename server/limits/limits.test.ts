import { expect, test } from 'bun:test'

import type { Limit } from '../../shared/limits.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createLimits } from './limits.ts'
import { createMemoryWindowStorage } from './window/window-storage.ts'

const log = createLog({ level: 'error' })
const rate: Limit = { units: 2, period: 'hour' }

test('every decision is counted by what it was, and of no key by name', async () => {
  const metrics = createMetrics()
  const counting = { kind: 'alone', storage: createMemoryWindowStorage(2 * 3) } as const
  const limits = createLimits({ clock: systemClock, log, metrics, counting })
  const ask = (keyId: string, calls = 1) => limits.admit({ keyId, rate, credits: null, calls, cost: 0 })
  for (let call = 0; call < 5; call++) await ask('key-a')
  await ask('key-a', 3)
  await ask('key-b')
  await ask('key-c')

  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('gatehouse_limiter'))
  expect(lines.toSorted()).toEqual([
    'gatehouse_limiter_decisions_total{outcome="admitted",backend="alone"} 3',
    'gatehouse_limiter_decisions_total{outcome="oversized",backend="alone"} 1',
    'gatehouse_limiter_decisions_total{outcome="refused",backend="alone"} 3',
    'gatehouse_limiter_decisions_total{outcome="unavailable",backend="alone"} 1',
    'gatehouse_limiter_degraded 0',
  ])
  expect(await limits.peek('key-a', rate, null)).toEqual({ rateUsed: 2, creditsUsed: null })
  expect(limits.isStoreReady()).toBe(true)
  limits.close()
})
