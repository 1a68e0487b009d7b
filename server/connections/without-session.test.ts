import { expect, test } from 'bun:test'

import type { Scope } from './connections.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { anonymous, link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { startRawToolServer } from './test-support/raw-tool-server.ts'
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

test.each(['the call', 'the session'])(
  'when %s is ended, an older tool server is told that the call is cancelled, before its session is over',
  async (what) => {
    const begun = Promise.withResolvers<unknown>()
    const call = (_name: string, id: unknown) => {
      begun.resolve(id)
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    }
    const tools = [{ name: 'slow', inputSchema: { type: 'object' } }]
    const server = subject.opened(startRawToolServer({ era: 'legacy', tools, call }))
    const { connections, registry } = subject
    const service = registry.put({ serviceId: `mcpservers:slow ${what}`, url: server.url })
    const caller = new AbortController()
    const calling = connections.callTool(
      anonymous(what),
      toService(service),
      { name: 'slow' },
      nothingOffered,
      link({ signal: caller.signal }),
    )
    const id = await begun.promise
    // The gateway ends the session of a call that has none of its own as soon as the call has failed.
    if (what === 'the call') {
      caller.abort()
      await calling
    }
    connections.endSession(what)
    await calling
    await waitUntil('the session is over', () => server.requests.at(-1)?.httpMethod === 'DELETE')
    expect(server.requests.slice(-3)).toMatchObject([
      { message: { method: 'tools/call' } },
      { message: { method: 'notifications/cancelled', params: { requestId: id } } },
      { httpMethod: 'DELETE' },
    ])
  },
)

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
