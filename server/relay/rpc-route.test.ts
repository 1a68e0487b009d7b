import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { parseDomainRule } from '../../shared/allowed-domains.ts'
import { keyValue, startTestRelay, type RelayScenario } from './test-support/relay-under-test.ts'
import { covers } from '../../tests/support/covers.ts'

const opened = closedAfterEach()

function start(world: Partial<RelayScenario> = {}) {
  const node = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x1"')))
  const relay = startTestRelay({ upstreams: [{ url: node.url }], ...world })
  opened.push(node.stop, relay.stop)
  return { node, relay }
}

function ruleFor(domain: string) {
  const reading = parseDomainRule(domain)
  if (reading.kind !== 'rule') throw new Error(reading.why)
  return reading.rule
}

const forPages = { key: { allowedDomains: [ruleFor('*.example.com')] } }
const page = 'https://app.example.com'
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call"}'

const ask = (url: string, method: string, headers: Record<string, string> = {}) =>
  fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) })

const cors = ({ headers }: Response) => ({
  allowed: headers.get('access-control-allow-origin'),
  vary: headers.get('vary'),
  credentials: headers.get('access-control-allow-credentials'),
})

const preflight = (url: string, origin: string) =>
  ask(url, 'OPTIONS', { origin, 'access-control-request-method': 'POST' })

test('a slash at the end of the address means nothing', async () => {
  const { relay } = start()
  const inPath = await ask(`${relay.url}/`, 'POST')
  const inHeader = await ask(`${relay.origin}/rpc/testnet/`, 'POST', { 'x-api-key': keyValue })
  expect([inPath.status, inHeader.status]).toEqual([200, 200])
})

describe('pages of other sites', () => {
  test('may read what a key without a domain list is answered', async () => {
    const { relay } = start()
    const answer = await ask(relay.url, 'POST', { origin: page })
    expect(cors(answer)).toEqual({ allowed: '*', vary: null, credentials: null })
    expect(answer.headers.get('access-control-expose-headers')).toBe('*')
    expect(cors(await ask(relay.url, 'POST')).allowed).toBeNull()
  })

  test('may read it with a domain list when they are on it, and nobody else may', async () => {
    const { node, relay } = start(forPages)
    const answer = await ask(relay.url, 'POST', { origin: page })
    expect(answer.status).toBe(200)
    expect(cors(answer)).toEqual({ allowed: page, vary: 'Origin', credentials: null })
    for (const origin of [
      'https://example.com',
      'https://evil.net',
      'null',
      'https://app.example.com.evil.net',
    ]) {
      const refused = await ask(relay.url, 'POST', { origin })
      expect(refused.status).toBe(403)
      expect(cors(refused).allowed).toBeNull()
      expect(await refused.json()).toMatchObject({ error: { data: { reason: 'domain_not_allowed' } } })
    }
    expect(node.requests).toHaveLength(1)
    node.answer((request) => request.write(answerTo(request, `"result":"0x${'00'.repeat(500)}"`)))
    const long = await ask(relay.url, 'POST', { origin: page })
    expect(cors(long)).toEqual({ allowed: page, vary: 'Origin, accept-encoding', credentials: null })
  })

  test('are told before they ask', async () => {
    const open = start().relay
    const closed = start(forPages).relay
    const allowed = await preflight(open.url, page)
    expect([allowed.status, cors(allowed)]).toEqual([204, { allowed: '*', vary: null, credentials: null }])
    expect(allowed.headers.get('access-control-allow-methods')).toContain('POST')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(cors(await preflight(closed.url, page))).toEqual({
      allowed: page,
      vary: 'Origin',
      credentials: null,
    })
    expect(cors(await preflight(closed.url, 'https://evil.net'))).toMatchObject({
      allowed: null,
      vary: 'Origin',
    })
    // The key comes with the request, and the list is looked at then.
    expect(cors(await preflight(`${closed.origin}/rpc/testnet`, page)).allowed).toBe('*')
  })
})

describe('what is refused', () => {
  test('a caller with another address than the key allows', async () => {
    const { node, relay } = start({ key: { allowedIps: ['203.0.113.9'] } })
    const answer = await ask(relay.url, 'POST')
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ id: null, error: { data: { reason: 'ip_not_allowed' } } })
    expect(node.requests).toHaveLength(0)
  })

  test('another method than POST', async () => {
    const { relay } = start()
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await ask(relay.url, method)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, GET, OPTIONS'])
    }
  })

  test.each(['/rpc/', '/rpc//', `/rpc//${keyValue}`, `/rpc/testnet/${keyValue}/more`, '/rpc/a//c'])(
    'the address %s',
    async (path) => {
      const { relay } = start()
      const answer = await ask(relay.origin + path, 'POST')
      expect(answer.status).toBe(404)
      const said = await answer.text()
      for (const address of ['/rpc/{endpoint}/{key}', '/mcp/account']) expect(said).toContain(address)
    },
  )

  test.each([
    ['', 'a query key is needed, in the address'],
    ['/gak_x', 'this is an API key'],
    ['/gqk_x', 'this query key is not valid here'],
  ])('a wrong key, in the words of its kind: /rpc/testnet%s', async (key, message) => {
    const { relay } = start()
    const answer = await ask(`${relay.origin}/rpc/testnet${key}`, 'POST')
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining(message)])
  })

  test('a key that stands in the query', async () => {
    covers('threat-6')
    const { relay } = start()
    expect((await ask(`${relay.origin}/rpc/testnet?api_key=${keyValue}`, 'POST')).status).toBe(400)
  })

  test('an address from which very many wrong keys came, until it waits', async () => {
    covers('threat-4')
    const { relay } = start({ wrongKeysPerMinute: 5 })
    const statuses: number[] = []
    for (let count = 0; count < 7; count++) {
      statuses.push((await ask(`${relay.origin}/rpc/testnet/wrong`, 'POST')).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await ask(relay.url, 'POST')).status).toBe(200)
  })
})

test('a query behind the address is not a part of the key', async () => {
  const { relay } = start()
  expect((await ask(`${relay.url}?source=wallet`, 'POST')).status).toBe(200)
})

const stream = (chunks: number) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(Buffer.from(body))
      for (let count = 0; count < chunks; count++) controller.enqueue(Buffer.alloc(500_000, 0x20))
      controller.close()
    },
  })

test('a body of unknown length is read up to the limit', async () => {
  const { relay } = start()
  expect((await fetch(relay.url, { method: 'POST', body: stream(2) })).status).toBe(200)
  expect((await fetch(relay.url, { method: 'POST', body: stream(12) })).status).toBe(413)
})

test('what the edge does for every request holds here, too', async () => {
  const { relay } = start()
  const answer = await ask(relay.url, 'POST', { 'x-request-id': 'chosen-by-a-stranger' })
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  relay.drain()
  expect((await ask(relay.url, 'POST')).headers.get('connection')).toBe('close')
  const metrics = await relay.metrics.render()
  expect(metrics).toContain('gatehouse_relay_requests_total{outcome="answered"} 2')
  expect(metrics).toMatch(
    /gatehouse_http_request_duration_seconds_count\{route="\/rpc\/:endpoint",method="POST",status_class="2xx"\} 2/,
  )
  expect(metrics).not.toContain(keyValue)
})
