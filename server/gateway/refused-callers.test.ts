import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { sharedConnections } from '../connections/test-support/shared-connections.ts'
import type { ToolServer } from '../connections/test-support/tool-server.ts'
import { ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { statelessMeta } from './test-support/stateless-call.ts'

/** What is open for callers whose API key is disabled, besides their sessions. */

const subject = sharedConnections()
let server: ToolServer
let gateway: ReturnType<typeof startGateway>
let path: string
const settings = { recheckMs: 50 }

beforeAll(async () => {
  server = await subject.startServer({ era: 'legacy' })
  const { chain, serviceId } = subject.registry.put({ serviceId: 'mcpservers:open', url: server.url })
  path = `/mcp/c/public::${chain}::${serviceId}`
  gateway = startGateway({ registry: await ownRegistry(), connections: subject.connections, settings })
})
afterAll(() => gateway.stop())

const post = (at: string, owner: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${at}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  })

/** Opens the stream of a client of the tool server, as its SDK does. */
async function listenAtServer(owner: string) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const begun = await post(path, owner, { method: 'initialize', params })
  await begun.text()
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const stream = await fetch(`${gateway.url}${path}`, {
    headers: { authorization: `Bearer ${owner}`, accept: 'text/event-stream', ...session },
  })
  expect(stream.status).toBe(200)
  return { session, stream }
}

/** Opens the stream of a client of protocol 2026-07-28 that wants to hear of changed tools. */
async function subscribe(owner: string): Promise<Response> {
  const method = 'subscriptions/listen'
  const params = { notifications: { toolsListChanged: true }, _meta: statelessMeta }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  const stream = await post('/mcp', owner, { method, params }, headers)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  return stream
}

test('all that is open for a key ends when it is disabled, at once, and nothing of others', async () => {
  const { session, stream } = await listenAtServer('owner-bad')
  const subscription = await subscribe('owner-bad')
  const call = { method: 'tools/call', params: { name: 'hang', arguments: {} } }
  const called = await post(path, 'owner-bad', call, session)
  const others = await listenAtServer('owner-good')
  const { connections } = subject
  expect(connections.counts().underWay).toBe(3)

  gateway.disableKey('owner-bad')
  await stream.text()
  await subscription.text()
  await expect(called.text()).rejects.toThrow()
  await waitUntil('only what the other hears is under way', () => connections.counts().underWay === 1)
  expect((await post(path, 'owner-bad', call, session)).status).toBe(401)

  gateway.disableKey('owner-good')
  await others.stream.text()
  await waitUntil('nothing is under way', () => connections.counts().underWay === 0)
})

test('what is open for a key ends when the key does, of which nobody tells', async () => {
  const { stream } = await listenAtServer('owner-of-today')
  const subscription = await subscribe('owner-of-today')
  const others = await listenAtServer('owner-of-tomorrow')
  gateway.expireKey('owner-of-today')
  await stream.text()
  await subscription.text()
  await waitUntil('only what the other hears is under way', () => subject.connections.counts().underWay === 1)
  gateway.expireKey('owner-of-tomorrow')
  await others.stream.text()
})
