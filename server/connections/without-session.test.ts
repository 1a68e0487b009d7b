import { expect, test } from 'bun:test'

import type { Scope } from './connections.ts'
import { anonymous, link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import { covers } from '../../tests/support/covers.ts'

/** Calls of callers that have no session: nothing of one may reach another. */

const subject = sharedConnections()
const from = (address: string | null): Scope => ({ accountId: null, sessionId: '', address })

async function serviceOf(era: 'modern' | 'legacy') {
  const server = await subject.startServer({ era })
  const { connections, registry } = subject
  const service = registry.put({ serviceId: `mcpservers:${era}`, url: server.url })
  const call = async (scope: Scope) => {
    const echo = { name: 'echo', arguments: { text: 'hi' } }
    return (await connections.callTool(scope, toService(service), echo, nothingOffered, link())).outcome
  }
  return { connections, call }
}

test('a server that keeps nothing is asked over a connection that nobody else uses', async () => {
  covers('threat-41')
  const { connections, call } = await serviceOf('modern')
  expect(await call(from('192.0.2.1'))).toBe('session_needed') // it is not known yet
  expect(await call(anonymous('some'))).toBe('answered')
  connections.endSession('some')
  expect(connections.counts().open).toBe(0)

  for (let time = 0; time < 3; time++) expect(await call(from('192.0.2.1'))).toBe('answered')
  expect(connections.counts().open).toBe(1)
  expect(await call(from('192.0.2.2'))).toBe('answered')
  expect(await call({ accountId: 'acc_anna', sessionId: '' })).toBe('answered')
  expect(connections.counts()).toEqual({ open: 3, underWay: 0 })
})

test('a server that has sessions of its own is never asked without one', async () => {
  const { connections, call } = await serviceOf('legacy')
  const before = connections.counts().open
  expect(await call(anonymous('other'))).toBe('answered')
  expect(await call(from('192.0.2.1'))).toBe('session_needed')
  connections.endSession('other')
  expect(connections.counts().open).toBe(before)
})

test('what fails for callers without a key never shuts an account out of a tool server', async () => {
  covers('threat-57')
  const { connections, registry } = subject
  const server = await subject.startServer()
  let isAway = true
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) =>
      isAway
        ? new Response('later', { status: 503 })
        : fetch(server.url, { method: request.method, headers: request.headers, body: await request.text() }),
  })
  const service = registry.put({ serviceId: 'mcpservers:away', url: `http://127.0.0.1:${proxy.port}/mcp` })
  const connect = async (scope: Scope) =>
    (await connections.connect(scope, toService(service), nothingOffered, link())).outcome
  for (let time = 0; time < 5; time++) expect(await connect(anonymous(`s${time}`))).toBe('unreachable')
  isAway = false
  expect(await connect(anonymous('another'))).toBe('busy')
  expect(await connect({ accountId: 'acc_anna', sessionId: 'own' })).toBe('connected')
  await proxy.stop(true)
})
