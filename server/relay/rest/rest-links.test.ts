import { expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { keyValue, type RelayScenario } from '../test-support/relay-under-test.ts'
import { startRestRelay } from './test-support/rest-relay.ts'

const opened = closedAfterEach()

/** A node that makes links of the address that it is called at, as Stellar's Horizon does (support/render/hal). */
function world(scenario: Partial<RelayScenario> = {}) {
  const asked: string[] = []
  const streams: ReadableStreamDefaultController<string>[] = []
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      asked.push(url.slice(node.url.origin.length))
      if (url.includes('/stream')) {
        const body = new ReadableStream<string>({ start: (controller) => void streams.push(controller) })
        streams.at(-1)?.enqueue(': hello\n\n')
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      }
      const headers = { 'content-type': 'application/hal+json', location: url, link: `<${url}>; rel="self"` }
      const status = url.includes('/missing') ? 404 : url.includes('/created') ? 201 : 200
      const links = { self: { href: url }, next: { href: `${url}&cursor=5` } }
      return Response.json({ _links: links }, { status, headers })
    },
  })
  opened.push(() => node.stop(true))
  const upstreams = [{ url: `${node.url.origin}/v3/PATHSECRET777/?apikey=SECRET99999` }]
  const relay = startRestRelay([], ['GET /**'], { upstreams, ...scenario })
  opened.push(relay.stop)
  return { relay, node, asked, streams }
}

const linksOf = async (answer: Response) => {
  const text = await answer.text()
  expect(`${text} ${JSON.stringify([...answer.headers])}`).not.toMatch(/SECRET|apikey/)
  return (JSON.parse(text) as { _links: { self: { href: string }; next: { href: string } } })._links
}

test.each([
  ['ledgers', 200],
  ['created', 201],
  ['missing', 404],
])('links of %s lead through the relay, and can be followed', async (path, status) => {
  const { relay, node, asked } = world()
  const answer = await fetch(`${relay.url}/${path}?limit=2`)
  expect([answer.status, answer.headers.get('location'), answer.headers.get('link')]).toEqual([
    status,
    null,
    null,
  ])
  const { self, next } = await linksOf(answer)
  expect(self.href).toBe(`${relay.url}/${path}?limit=2`)
  expect(self.href).not.toContain(node.url.host)
  const followed = await linksOf(await fetch(next.href))
  expect(followed.self.href).toBe(`${relay.url}/${path}?limit=2&cursor=5`)
  expect(asked).toEqual([
    `/v3/PATHSECRET777/${path}?apikey=SECRET99999&limit=2`,
    `/v3/PATHSECRET777/${path}?apikey=SECRET99999&limit=2&cursor=5`,
  ])
  expect(relay.metered).toHaveLength(2)
  expect(relay.logged[0]?.bytesOut).toBe(JSON.stringify({ _links: { self, next } }).length)
})

test('they name the configured address, or the Host by which the relay is asked', async () => {
  const { relay } = world()
  const named = await fetch(`${relay.url}/ledgers?limit=2`, { headers: { host: `localhost:${relay.port}` } })
  expect((await linksOf(named)).self.href).toBe(
    `http://localhost:${relay.port}/rpc/testnet/${keyValue}/ledgers?limit=2`,
  )
  const configured = world({ publicUrl: 'https://gate.example' })
  const { self } = await linksOf(await fetch(`${configured.relay.url}/ledgers?limit=2`))
  expect(self.href).toBe(`https://gate.example/rpc/testnet/${keyValue}/ledgers?limit=2`)
})

test('they hold no key that came in a header', async () => {
  const secret = 'gqk_in-a-header'
  const started = world({
    authorize: (value) =>
      value === secret ? { kind: 'allowed', key: started.relay.key } : { kind: 'invalid' },
  })
  const { origin } = started.relay
  const answer = await fetch(`${origin}/rpc/testnet/ledgers?limit=2`, { headers: { 'x-api-key': secret } })
  expect((await linksOf(answer)).self.href).toBe(`${origin}/rpc/testnet/ledgers?limit=2`)
})

test('an answer that is kept has the address of each caller', async () => {
  const { relay } = world({ endpoint: { settings: { byMethod: { 'GET /**': { cacheFor: '1h' } } } } })
  const ask = async (host: string) => {
    const answer = await fetch(`${relay.url}/ledgers?limit=2`, { headers: { host } })
    return [answer.headers.get('x-gatehouse-cache'), (await linksOf(answer)).self.href]
  }
  const path = `/rpc/testnet/${keyValue}/ledgers?limit=2`
  expect(await ask(`127.0.0.1:${relay.port}`)).toEqual(['miss', `http://127.0.0.1:${relay.port}${path}`])
  expect(await ask(`localhost:${relay.port}`)).toEqual(['hit', `http://localhost:${relay.port}${path}`])
})

test('events of a stream have them, too', async () => {
  const { relay, node, streams } = world()
  const response = await fetch(`${relay.url}/stream`)
  let heard = ''
  const reader = response.body?.getReader()
  opened.push(() => reader?.cancel())
  const href = `${node.url.origin}/v3/PATHSECRET777/ledgers/7?apikey=SECRET99999`
  streams[0]?.enqueue(`data: {"href":"${href}"}\n\ndata: {"key":"SECRET99999"}\n\n`)
  const reading = (async () => {
    while (!heard.includes('key')) heard += new TextDecoder().decode((await reader?.read())?.value)
  })()
  await waitUntil('both events have come', () => heard.includes('key'))
  await reading
  expect(heard.replaceAll(/^:.*\n\n/gm, '')).toBe(
    `data: {"href":"${relay.url}/ledgers/7"}\n\ndata: {"key":"…"}\n\n`,
  )
})
