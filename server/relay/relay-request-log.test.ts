import { expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { type RelayScenario, startTestRelay } from './test-support/relay-under-test.ts'

const opened = closedAfterEach()

function start(world: Partial<RelayScenario> = {}) {
  const good = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x1"')))
  const relay = startTestRelay({ upstreams: [{ url: good.url }], ...world })
  opened.push(good.stop, relay.stop)
  const post = (body: string) => fetch(relay.url, { method: 'POST', body })
  return { relay, post }
}

const call = (method: string, params = '') => `{"jsonrpc":"2.0","id":1,"method":"${method}"${params}}`

test('an answered call: what it was, what it cost, and the attempt that answered it', async () => {
  const { relay, post } = start()
  const response = await post(call('eth_chainId'))
  const text = await response.text()
  expect(relay.logged).toEqual([
    {
      key: relay.key,
      entries: [],
      method: 'eth_chainId',
      calls: 1,
      class: 'answer',
      status: 200,
      startedAt: expect.any(Number),
      tookMs: expect.any(Number),
      attempts: [
        { upstream: 'upstream-1', class: 'answer', ms: expect.any(Number), startedAt: expect.any(Number) },
      ],
      bytesIn: call('eth_chainId').length,
      bytesOut: text.length,
      credits: 20,
      requestId: response.headers.get('x-request-id'),
    },
  ])
})

test('the parameters of calls that were refused are not handed over', async () => {
  const { relay, post } = start({ denied: ['admin_peers'], key: { debugEndsAt: Date.now() } })
  await post(`[${call('eth_call', ',"params":["0x1"]')},${call('admin_peers', ',"params":["0x2"]')}]`)
  const [request] = relay.logged
  expect(request?.entries.map(({ params }) => params)).toEqual(['["0x1"]', undefined])
})

test('the attempt that failed and the one that answered are both there, in their order', async () => {
  const bad = startRawUpstream((request) => request.write('nonsense'))
  const good = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x1"')))
  const relay = startTestRelay({ upstreams: [{ url: bad.url, weight: 1_000_000 }, { url: good.url }] })
  opened.push(bad.stop, good.stop, relay.stop)
  await fetch(relay.url, { method: 'POST', body: call('eth_blockNumber') })
  expect(relay.logged[0]?.attempts.map(({ upstream, class: name }) => [upstream, name])).toEqual([
    ['upstream-1', 'malformed'],
    ['upstream-2', 'answer'],
  ])
})

test('what is refused or invalid says why; nobody is named whose key is wrong', async () => {
  const { relay, post } = start({ rate: { units: 1, period: 'day' }, denied: ['admin_peers'] })
  await post(call('admin_peers'))
  await post('no json')
  await post(call('eth_chainId'))
  await post(call('eth_call'))
  await fetch(`${relay.origin}/rpc/testnet/wrong`, { method: 'POST', body: call('eth_call') })
  expect(relay.logged.map(({ class: name, status, method }) => [name, status, method])).toEqual([
    ['method-refused', 200, 'admin_peers'],
    ['invalid', 400, null],
    ['answer', 200, 'eth_chainId'],
    ['rate-limit', 429, 'eth_call'],
  ])
})

test('a key from where it may not be used', async () => {
  const { relay, post } = start({ key: { allowedIps: ['192.0.2.1'] } })
  expect((await post(call('eth_call'))).status).toBe(403)
  expect(relay.logged).toMatchObject([{ key: { id: relay.key.id }, class: 'ip-not-allowed', status: 403 }])
})

test('no parameter and no answer is in the record', async () => {
  const { relay, post } = start()
  await post(call('eth_call', ',"params":["0x5ec4e7"]'))
  expect(relay.logged).toHaveLength(1)
  expect(JSON.stringify(relay.logged)).not.toContain('5ec4e7')
})
