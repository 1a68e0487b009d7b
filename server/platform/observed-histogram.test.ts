import { expect, test } from 'bun:test'

import { BoundCounts, histogramText } from './observed-histogram.ts'

test('values are counted under the first bound that they do not exceed', () => {
  const counts = new BoundCounts([1, 2])
  for (const value of [0.5, 1, 1.5, 2, 7]) counts.add(value)
  expect([...counts.counts]).toEqual([2, 2, 1])
  expect(counts.sum).toBe(12)
})

test('the text sums up what is below each bound', () => {
  const text = histogramText({
    name: 'wait_seconds',
    help: 'Time of waiting',
    bounds: [1, 2],
    read: () => [{ labels: { route: '/rpc/:endpoint' }, counts: [2, 2, 1], sum: 12 }],
  })
  expect(text).toBe(`# HELP wait_seconds Time of waiting
# TYPE wait_seconds histogram
wait_seconds_bucket{le="1",route="/rpc/:endpoint"} 2
wait_seconds_bucket{le="2",route="/rpc/:endpoint"} 4
wait_seconds_bucket{le="+Inf",route="/rpc/:endpoint"} 5
wait_seconds_sum{route="/rpc/:endpoint"} 12
wait_seconds_count{route="/rpc/:endpoint"} 5
`)
})
