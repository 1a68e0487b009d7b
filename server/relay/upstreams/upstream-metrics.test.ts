import { expect, test } from 'bun:test'

import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { answerTo, type RawRequest, startRawUpstream } from '../../../scripts/world/raw-upstream.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { startTestRelay } from '../test-support/relay-under-test.ts'

const opened = closedAfterEach()

test('each upstream of an endpoint has its attempts, response time and breaker in /metrics', async () => {
  const good = startRawUpstream((request: RawRequest) => request.write(answerTo(request, '"result":"0x1"')))
  opened.push(good.stop)
  let isThere = true
  const relay = startTestRelay({
    upstreams: [
      { id: 'gone', url: 'http://127.0.0.1:1' },
      { id: 'a "good" one', url: good.url },
    ],
    settings: { hedgeAfterMs: null },
    findEndpoint: (endpoint) => (isThere ? endpoint : undefined),
  })
  opened.push(relay.stop)
  const series = async () =>
    (await relay.metrics.render()).split('\n').filter((line) => line.startsWith('gatehouse_upstream_'))
  expect(await series()).toEqual([])

  let calls = 0
  await waitUntil('the breaker of the one that is gone opens', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [++calls] })
    expect((await fetch(relay.url, { method: 'POST', body })).status).toBe(200)
    return (await series()).includes('gatehouse_upstream_breaker_state{endpoint="testnet",upstream="gone"} 2')
  })
  const labels = String.raw`{endpoint="testnet",upstream="a \"good\" one"`
  expect(await series()).toEqual(
    expect.arrayContaining([
      `gatehouse_upstream_attempts_total${labels},class="answer"} ${calls}`,
      'gatehouse_upstream_attempts_total{endpoint="testnet",upstream="gone",class="answer"} 0',
      'gatehouse_upstream_attempts_total{endpoint="testnet",upstream="gone",class="unreachable"} 5',
      `gatehouse_upstream_in_flight${labels}} 0`,
      `gatehouse_upstream_breaker_state${labels}} 0`,
      expect.stringContaining(`gatehouse_upstream_response_seconds${labels}} 0.`),
    ]),
  )
  expect((await series()).filter((line) => line.includes('upstream="gone"'))).toHaveLength(4)

  isThere = false
  expect(await series()).toEqual([])
})
