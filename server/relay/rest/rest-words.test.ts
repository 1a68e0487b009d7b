import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { type RelayScenario, testPrice } from '../test-support/relay-under-test.ts'
import { startRestRelay } from './test-support/rest-relay.ts'

const opened = closedAfterEach()

/** grpc-gateway's answer to a query that a contract refuses (CosmWasm/wasmd, x/wasm/keeper/querier.go). */
const refused = {
  code: 2,
  message: 'Listing not found: query wasm contract failed: unknown request',
  details: [],
}

function node(answer: () => Response) {
  let asked = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      asked++
      return answer()
    },
  })
  opened.push(() => server.stop(true))
  return { url: server.url.origin, asked: () => asked }
}

const says =
  (status: number, words: unknown = refused) =>
  (): Response =>
    Response.json(words, { status })

const answers = (): Response => Response.json({ data: 'good' })

/** The first node is called first. */
function relayTo(nodes: readonly { readonly url: string }[], world: Partial<RelayScenario> = {}) {
  const relay = startRestRelay(nodes, ['GET /cosmwasm/**', 'POST /cosmos/**'], world)
  opened.push(relay.stop)
  const ask = () => fetch(`${relay.url}/cosmwasm/wasm/v1/contract/cosmos1/smart/e30=`)
  return { relay, ask }
}

describe('an error in JSON with 500 or 501', () => {
  test.each([500, 501])(
    '(%d) is the answer where no node does better, and charged once like a 404',
    async (code) => {
      const nodes = [node(says(code, { code: 5, message: 'words of the first' })), node(says(code))]
      const { relay, ask } = relayTo(nodes)
      const answer = await ask()
      expect([answer.status, await answer.json()]).toEqual([code, refused])
      expect([answer.headers.get('content-type'), answer.headers.get('x-rpc-credits')]).toEqual([
        expect.stringContaining('application/json'),
        String(testPrice),
      ])
      expect(nodes.map(({ asked }) => asked())).toEqual([1, 1])
      expect(relay.metered).toMatchObject([{ outcomes: ['error'], creditsBack: [0] }])
      const failed = { class: 'node-failure' }
      expect(relay.logged).toMatchObject([{ class: 'error', status: code, attempts: [failed, failed] }])
    },
  )

  test('is the answer also where another node cannot be reached', async () => {
    const { ask } = relayTo([node(says(500)), { url: 'http://127.0.0.1:1' }])
    expect((await ask()).status).toBe(500)
  })

  test('takes no node from others: breakers open only where another node answers', async () => {
    const alone = relayTo([node(says(500)), node(says(500))])
    for (let count = 0; count < 12; count++) expect((await alone.ask()).status).toBe(500)
    expect(await alone.relay.metrics.render()).toContain('relay_open_breakers 0')

    const bad = node(says(500))
    const other = relayTo([bad, node(answers)])
    for (let count = 0; count < 12; count++) expect((await other.ask()).status).toBe(200)
    expect(bad.asked()).toBe(5)
    expect(await other.relay.metrics.render()).toContain('relay_open_breakers 1')
  })

  test('is that of a call that changes something as well, which no other node gets', async () => {
    const [first, second] = [node(says(500)), node(answers)]
    const { relay } = relayTo([first, second])
    const answer = await fetch(`${relay.url}/cosmos/tx/v1beta1/simulate`, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.json()]).toEqual([500, refused])
    expect(second.asked()).toBe(0)
  })

  test('comes without the address and the key of the node', async () => {
    const one = node(says(500, { message: 'no project planted-key-0123' }))
    const { ask } = relayTo([{ url: `${one.url}/planted-key-0123` }])
    expect(await (await ask()).json()).toEqual({ message: 'no project …' })
  })

  test.each([
    ['a page', () => new Response('<h1>planted</h1>', { status: 500 })],
    ['no object', says(500, 'planted')],
    ['nothing', () => new Response(null, { status: 501 })],
    ['more than words', says(500, { message: 'planted'.repeat(10_000) })],
    ['another status', says(502, { message: 'planted' })],
  ] as const)('is none of a node that says %s', async (_, answer) => {
    const { relay, ask } = relayTo([node(answer)])
    const response = await ask()
    expect([response.status, response.headers.get('x-rpc-credits')]).toEqual([502, '0'])
    expect(await response.text()).not.toContain('planted')
    expect(relay.metered).toMatchObject([{ outcomes: ['unanswered'], creditsBack: [testPrice] }])
  })
})

test('the error of Lotus with 500 is the answer at an endpoint of JSON-RPC', async () => {
  const error = { code: -32_602, message: 'wrong param count: 0 != 1' }
  const one = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id } = (await request.json()) as { id: unknown }
      return Response.json({ jsonrpc: '2.0', id, error }, { status: 500 })
    },
  })
  opened.push(() => one.stop(true))
  const methods = { allow: [], deny: [], unknown: 'refuse' as const }
  const relay = startRestRelay([{ url: one.url.origin }], [], { endpoint: { family: 'filecoin', methods } })
  opened.push(relay.stop)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'Filecoin.ChainGetBlock' })
  for (let count = 0; count < 6; count++) {
    const answer = await fetch(relay.url, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, error }])
  }
  expect(await relay.metrics.render()).toContain('relay_open_breakers 0')
  expect(relay.metered[0]).toMatchObject({ outcomes: ['error'], creditsBack: [0] })
})
