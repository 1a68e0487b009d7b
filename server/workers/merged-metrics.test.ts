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

const page = (calls: number, sockets: number): string =>
  [
    '# HELP calls_total Calls',
    '# TYPE calls_total counter',
    `calls_total ${calls}`,
    '',
    '# HELP sockets Sockets',
    '# TYPE sockets gauge',
    `sockets ${sockets}`,
    '',
  ].join('\n')

const samplesOf = (text: string): string[] => text.split('\n').filter((line) => /^[^#]/.test(line))

test('counters and gauges are added up', () => {
  const text = createMergedMetrics().merge(new Map([[{}, page(3, 1)], [{}, page(4, 2)]])) // prettier-ignore
  expect(samplesOf(text)).toEqual(['calls_total 7', 'sockets 3'])
})

test('the counters of one that does not answer stand still, and its gauges are left out', () => {
  const [one, other] = [{}, {}]
  const merged = createMergedMetrics()
  merged.merge(new Map([[one, page(3, 1)], [other, page(4, 2)]])) // prettier-ignore
  const text = merged.merge(new Map([[one, null], [other, page(5, 2)]])) // prettier-ignore
  expect(samplesOf(text)).toEqual(['calls_total 8', 'sockets 2'])
})

test('what one had counted goes on being counted after its end, once, also by a scrape that was under way', () => {
  const [one, other] = [{}, {}]
  const merged = createMergedMetrics()
  merged.merge(new Map([[one, page(3, 1)], [other, page(4, 2)]])) // prettier-ignore
  merged.end(one)
  merged.end(one)
  for (const last of [page(3, 1), null]) {
    const text = merged.merge(new Map([[one, last], [other, page(4, 2)]])) // prettier-ignore
    expect(samplesOf(text)).toEqual(['calls_total 7', 'sockets 2'])
  }
  expect(samplesOf(merged.merge(new Map([[other, page(4, 2)]])))).toEqual(['calls_total 7', 'sockets 2'])
})
