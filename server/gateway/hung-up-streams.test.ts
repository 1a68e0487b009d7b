import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { sharedConnections } from '../connections/test-support/shared-connections.ts'
import { ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { postCall, statelessCall, statelessHeaders, statelessMeta } from './test-support/stateless-call.ts'

/** What a process that stops waits for at the address of one tool server. */

const subject = sharedConnections()
let gateway: ReturnType<typeof startGateway>
let url: string

beforeAll(async () => {
  const server = await subject.startServer({ era: 'modern' })
  const { chain, serviceId } = subject.registry.put({ serviceId: 'mcpservers:stopping', url: server.url })
  gateway = startGateway({ registry: await ownRegistry(), connections: subject.connections })
  url = `${gateway.url}/mcp/c/public::${chain}::${serviceId}`
})
afterAll(() => gateway.stop())

const listen = () =>
  postCall(
    url,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: statelessMeta },
    },
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
  )

test('a client that subscribed is hung up on, and a call is not', async () => {
  const stream = await listen()
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const leaving = new AbortController()
  const called = postCall(url, statelessCall('hang', {}), statelessHeaders('hang'), {
    signal: leaving.signal,
  }).then((answer) => answer.text())
  const { connections } = subject
  await waitUntil('both are under way', () => connections.counts().underWay === 2)
  gateway.gateway.hangUp()
  expect(await stream.text()).toContain('acknowledged')
  expect(connections.counts().underWay).toBe(1)
  expect((await listen()).status).toBe(503)
  leaving.abort()
  await expect(called).rejects.toThrow()
  await waitUntil('nothing is under way', () => connections.counts().underWay === 0)
})
