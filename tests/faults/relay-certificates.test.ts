import { beforeAll, expect, test } from 'bun:test'

import { closedAfterEach } from '../support/closed-after-each.ts'
import {
  type RelayScenario,
  startTestRelay,
  testPrice,
} from '../../server/relay/test-support/relay-under-test.ts'
import { needs } from '../support/needs.ts'
import {
  type Authority,
  createAuthority,
  selfSigned,
  type ServerCertificate,
} from '../../scripts/world/certificates.ts'

/** Nodes over TLS whose certificates must not be believed, with a good one beside them. */

const hasOpenssl = needs('openssl')

let authority: Authority
const opened = closedAfterEach()

beforeAll(() => {
  if (hasOpenssl) authority = createAuthority()
})

function startNode(tls: ServerCertificate) {
  let calls = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls,
    async fetch(request) {
      calls++
      const { id } = (await request.json()) as { id: number }
      return Response.json({ jsonrpc: '2.0', id, result: '0x5000' })
    },
  })
  opened.push(() => server.stop(true))
  return { url: `https://127.0.0.1:${server.port}/`, calls: () => calls }
}

function relayTo(urls: readonly string[]) {
  const world: RelayScenario = {
    upstreams: urls.map((url, index) => ({ url, serviceId: `service-${index}` })),
    // The first one is called first.
    decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    ca: authority.ca,
    settings: { hedgeAfterMs: null },
  }
  const relay = startTestRelay(world)
  opened.push(relay.stop)
  const call = async (method: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: ['0x1'] })
    const response = await fetch(relay.url, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
  return { relay, call }
}

test.skipIf(!hasOpenssl).each<[string, () => ServerCertificate]>([
  ['has expired', () => authority.issue(['IP:127.0.0.1'], { expired: true })],
  ['is for another name', () => authority.issue(['DNS:other.test'])],
  ['no authority has signed', () => selfSigned('127.0.0.1')],
])('a node whose certificate %s gets no call, and another one does', async (_, certificate) => {
  const bad = startNode(certificate())
  const good = startNode(authority.issue(['IP:127.0.0.1']))
  const { relay, call } = relayTo([bad.url, good.url])
  // Nothing was sent to it, so that a transaction goes to the other one as well.
  for (const method of ['eth_call', 'eth_sendRawTransaction'])
    expect((await call(method)).text).toContain('0x5000')
  expect([bad.calls(), good.calls()]).toEqual([0, 2])
  expect(await relay.metrics.render()).toContain(
    'upstream_attempts_total{endpoint="testnet",upstream="upstream-1",class="certificate"} 2',
  )
  expect(relay.suspected).toEqual(['service-0', 'service-0'])

  const alone = relayTo([bad.url])
  const { status, text } = await alone.call('eth_call')
  expect([status, JSON.parse(text).error.data.reason]).toEqual([502, 'upstream_error'])
  expect(text).not.toContain('127.0.0.1')
  expect(alone.relay.metered[0]).toMatchObject({ outcomes: ['unanswered'], creditsBack: [testPrice] })
})
