import { expect, test } from 'bun:test'

import { createMetrics } from '../platform/metrics.ts'
import { mostKeySeries, observeKeys } from '../usage/key-metrics.ts'
import { observeOutbox } from '../alerts/metrics.ts'
import { createRelayMetrics } from '../relay/relay-metrics.ts'
import { createMergedMetrics } from './merged-metrics.ts'

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

/** The page of a worker that was called with these keys, each so often. */
function pageOfKeys(keyIds: readonly string[], calls: number): Promise<string> {
  const metrics = createMetrics()
  observeKeys(metrics, () => keyIds.map((keyId) => ({ keyId, endpoint: 'mainnet', calls })))
  return metrics.render()
}

const keySamplesOf = (text: string): string[] =>
  samplesOf(text).filter((line) => line.startsWith('gatehouse_key_calls_total'))
const sampleOf = (keyId: string, calls: number): string =>
  `gatehouse_key_calls_total{key="${keyId}",endpoint="mainnet"} ${calls}`

test('what an ended worker counted of a key goes on being counted for as long as another tells of the key', async () => {
  const [one, other] = [{}, {}]
  const merged = createMergedMetrics()
  const ofOther = await pageOfKeys(['a'], 5)
  merged.merge(new Map([[one, await pageOfKeys(['a', 'b'], 3)], [other, ofOther]])) // prettier-ignore
  merged.end(one)
  expect(keySamplesOf(merged.merge(new Map([[other, ofOther]])))).toEqual([sampleOf('a', 8)])
  expect(keySamplesOf(merged.merge(new Map([[other, await pageOfKeys([], 0)]])))).toEqual([])
  expect(keySamplesOf(merged.merge(new Map([[other, ofOther]])))).toEqual([sampleOf('a', 5)])
})

/** As many keys as a page shows. */
const keyIds = (worker: string): string[] =>
  Array.from({ length: mostKeySeries }, (_, place) => `${worker}_${place}`)

test('the page of all has the busiest keys only, and counts the rest', async () => {
  const [busy, idle] = [await pageOfKeys(keyIds('busy'), 9), await pageOfKeys(keyIds('idle'), 1)]
  const text = createMergedMetrics().merge(new Map([[{}, idle], [{}, busy]])) // prettier-ignore
  expect(keySamplesOf(text).toSorted()).toEqual(
    keyIds('busy')
      .map((keyId) => sampleOf(keyId, 9))
      .toSorted(),
  )
  expect(text).toContain(`gatehouse_key_series_left_out ${mostKeySeries}\n`)
})

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
