import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'

import type { RelayScenario } from '../test-support/relay-under-test.ts'
import { keyValue } from '../test-support/relay-under-test.ts'
import { startRestRelay } from './test-support/rest-relay.ts'

const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const secret = 'gqk_in-a-header'
const allow = ['GET /v2/**', 'POST /v2/transactions', 'DELETE /v2/participation/*']

function world(scenario: Partial<RelayScenario> = {}) {
  const seen: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      seen.push(`${request.method} ${request.url.slice(server.url.origin.length)}`)
      return Response.json({ key: request.headers.get('x-api-key') ?? request.headers.get('authorization') })
    },
  })
  opened.push(() => server.stop(true))
  const relay = startRestRelay([{ url: server.url.origin }], allow, scenario)
  opened.push(relay.stop)
  return { relay, seen }
}

describe('a key in a header', () => {
  const ofHeader = () => {
    const started = world({
      authorize: (value, endpoint) =>
        value === secret && endpoint === 'testnet'
          ? { kind: 'allowed', key: started.relay.key }
          : { kind: 'invalid' },
    })
    return started
  }

  test.each([
    { authorization: `Bearer ${secret}` },
    { 'x-api-key': secret },
    { authorization: `Basic ${btoa(`me:${secret}`)}` },
  ])('of %j stands before the path of the node, which never hears of it', async (headers) => {
    const { relay, seen } = ofHeader()
    const answer = await fetch(`${relay.origin}/rpc/testnet/v2/status?a=1`, { headers })
    expect([answer.status, await answer.json()]).toEqual([200, { key: null }])
    expect(await (await fetch(`${relay.origin}/rpc/testnet/v2`, { headers })).json()).toEqual({ key: null })
    expect(seen).toEqual(['GET /v2/status?a=1', 'GET /v2'])
  })

  test('that is none is 401, and so is a path without one', async () => {
    const { relay, seen } = ofHeader()
    const ask = (headers: Record<string, string>) =>
      fetch(`${relay.origin}/rpc/testnet/v2/status`, { headers })
    expect((await ask({ 'x-api-key': 'gqk_wrong' })).status).toBe(401)
    expect((await ask({ 'x-api-key': 'nothing' })).status).toBe(401)
    expect((await ask({})).status).toBe(401)
    expect(seen).toEqual([])
  })
})

const methodsAt = async (url: string) => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'DELETE' }
  return (await fetch(url, { method: 'OPTIONS', headers })).headers.get('access-control-allow-methods')
}

describe('a preflight', () => {
  test('lets pages use the methods of the patterns, and those of JSON-RPC elsewhere', async () => {
    const { relay } = world()
    expect(await methodsAt(`${relay.url}/v2/participation/1`)).toBe('GET, HEAD, POST, DELETE')
    const rpc = world({ endpoint: { family: 'evm', methods: { allow: [], deny: [], unknown: 'refuse' } } })
    expect(await methodsAt(rpc.relay.url)).toBe('POST, GET')
    expect(await methodsAt(`${rpc.relay.origin}/rpc/testnet`)).toBe('POST, GET')
  })

  test('of a call whose key comes in a header tells nothing of the endpoint', async () => {
    const { relay } = world()
    const any = 'GET, HEAD, POST, PUT, PATCH, DELETE'
    expect(await methodsAt(`${relay.origin}/rpc/testnet/v2/transactions`)).toBe(any)
    expect(await methodsAt(`${relay.origin}/rpc/nowhere/v2/transactions`)).toBe(any)
  })
})

/** Answers the first request of each connection, and closes it when a second one comes, which it does not read. */
async function startHastyNode() {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(answer)
      socket.once('data', () => socket.destroy())
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  opened.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

test('a call that changes something does not meet the closing of a connection that was kept', async () => {
  const relay = startRestRelay([await startHastyNode()], allow)
  opened.push(relay.stop)
  for (let round = 0; round < 3; round++) {
    expect((await fetch(`${relay.origin}/rpc/testnet/${keyValue}/v2/status`)).status).toBe(200)
    const sent = await fetch(`${relay.url}/v2/transactions`, { method: 'POST', body: '00' })
    expect(sent.status).toBe(200)
  }
})
