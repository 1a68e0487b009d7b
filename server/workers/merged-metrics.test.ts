import { expect, test } from 'bun:test'

import { observeOutbox } from '../alerts/metrics.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createRelayMetrics } from '../relay/relay-metrics.ts'
import { createMergedMetrics } from './merged-metrics.ts'

async function pageOf(waiting: number, breakers: number): Promise<string> {
  const metrics = createMetrics()
  observeOutbox(metrics, () => ({ waiting, dead: 2 }))
  const { countRequest } = createRelayMetrics(metrics, () => breakers)
  countRequest('limits_unavailable')
  return await metrics.render()
}

test('what all workers see alike is counted once, and what each of them did is added up', async () => {
  const pages = new Map([
    [{}, await pageOf(3, 1)],
    [{}, await pageOf(4, 1)],
    [{}, await pageOf(3, 0)],
  ])
  const lines = createMergedMetrics().merge(pages).split('\n')
  expect(lines).toContain('gatehouse_alert_outbox_waiting 4')
  expect(lines).toContain('gatehouse_alert_outbox_dead 2')
  expect(lines).toContain('gatehouse_relay_open_breakers 1')
  expect(lines).toContain('gatehouse_relay_requests_total{outcome="limits_unavailable"} 3')
})
