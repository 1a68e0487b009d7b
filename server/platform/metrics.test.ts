import { expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createMetrics } from './metrics.ts'
import { covers } from '../../tests/support/covers.ts'

test('metrics carry the prefix, labels and help', async () => {
  const metrics = createMetrics()
  metrics.counter('reports_total', 'Reports received', ['result']).add({ result: 'ok' }, 2)
  metrics.gauge('services', 'Services known').set(3)
  metrics.observedGauge('queue_length', 'Waiting', () => 4)
  metrics.observedCounter('refused_total', 'Refused', ['limit'], () => [
    { labels: { limit: 'rate' }, count: 7 },
  ])
  metrics
    .histogram('round_seconds', 'Length of a round', { labels: ['family'], buckets: [1, 2] })
    .observe(1.5, { family: 'evm' })

  await metrics.render()
  const text = await metrics.render()
  expect(text).toContain('gatehouse_refused_total{limit="rate"} 7')
  expect(text).toContain('# HELP gatehouse_reports_total Reports received')
  expect(text).toContain('gatehouse_reports_total{result="ok"} 2')
  expect(text).toContain('gatehouse_services 3')
  expect(text).toContain('gatehouse_queue_length 4')
  expect(text).toContain('gatehouse_round_seconds_bucket{le="1",family="evm"} 0')
  expect(text).toContain('gatehouse_round_seconds_bucket{le="2",family="evm"} 1')
})

test('memory of the process and lag of the event loop are there under Bun', async () => {
  const text = await createMetrics().render()
  expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(1_000_000)
  expect(text).toMatch(/^nodejs_eventloop_lag_max_seconds /m)
})

test('what keeps the event loop is told, until it was asked for', async () => {
  covers('threat-70')
  const metrics = createMetrics()
  const longest = async (): Promise<number> =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await metrics.render())?.[1])
  await waitUntil('it is looked at', async () => (await longest()) > 0)
  const until = performance.now() + 500
  while (performance.now() < until) Math.random()
  await waitUntil('the stay is told', async () => (await longest()) > 0.4)
  await waitUntil('it is told no longer', async () => (await longest()) < 0.4)
})

test('two apps in one process share nothing', async () => {
  const first = createMetrics()
  const second = createMetrics()
  first.counter('a_total', 'A').add()
  second.counter('a_total', 'A').add({}, 5)
  expect(await first.render()).toContain('gatehouse_a_total 1')
  expect(await second.render()).toContain('gatehouse_a_total 5')
})

test('a label that was not declared is refused', () => {
  const requests = createMetrics().counter('requests_total', 'Requests', ['route'])
  expect(() => requests.add(JSON.parse('{"serviceId":"a"}'))).toThrow('serviceId')
})
