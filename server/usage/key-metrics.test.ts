import { expect, test } from 'bun:test'

import { createMetrics } from '../platform/metrics.ts'
import { mostKeySeries, observeKeys } from './key-metrics.ts'

test('the busiest keys are shown, and how many are not', async () => {
  const metrics = createMetrics()
  const all = Array.from({ length: mostKeySeries + 25 }, (_, index) => ({
    keyId: `key_${index}`,
    endpoint: 'mainnet',
    calls: index,
  }))
  observeKeys(metrics, () => all)
  const text = await metrics.render()
  const series = text.split('\n').filter((line) => line.startsWith('gatehouse_key_calls_total{'))
  expect(series).toHaveLength(mostKeySeries)
  expect(series[0]).toBe(`gatehouse_key_calls_total{key="key_${mostKeySeries + 24}",endpoint="mainnet"} ${mostKeySeries + 24}`) // prettier-ignore
  expect(text).not.toContain('key="key_24"')
  expect(text).toContain('gatehouse_key_series_left_out 25\n')
})
