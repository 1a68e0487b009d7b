import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { noConnections, ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'

/** The streams of sessions of 2025, and how long they are held. */

let gateway: ReturnType<typeof startGateway>

beforeAll(async () => {
  gateway = startGateway({ registry: await ownRegistry(), connections: noConnections() })
})
afterAll(() => gateway.stop())

/** Opens a session of an account of its own, and returns what asks for its stream and tells whether one is open. */
async function openSession(name: string) {
  const authorization = `Bearer owner-${name}`
  const begun = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  })
  await begun.text()
  const session = { authorization, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  return {
    get: (headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
      fetch(`${gateway.url}/mcp`, {
        headers: { ...session, accept: 'text/event-stream', ...headers },
        signal,
      }),
    async isOpen() {
      const { sessions } = await gateway.gateway.sessionsOf(`account-owner-${name}`)
      return sessions.map(({ isOpen }) => isOpen)
    },
  }
}

test.each([
  ['takes no events', { accept: 'application/json' }, 406],
  ['speaks an unknown version', { 'mcp-protocol-version': '2024-01-01' }, 400],
])(
  'a client that %s opens no stream, and its session is as idle as before',
  async (what, headers, status) => {
    const session = await openSession(what.replaceAll(' ', '-'))
    const refused = await session.get(headers)
    expect(refused.status).toBe(status)
    await refused.text()
    expect(await session.isOpen()).toEqual([false])
  },
)

test('a session is in use while its one stream is open: the newest, unless that is refused', async () => {
  const session = await openSession('twice')
  const first = await session.get()
  const refused = await session.get({ accept: 'application/json' })
  expect([first.status, refused.status]).toEqual([200, 406])
  await refused.text()
  expect(await session.isOpen()).toEqual([true])
  const leaving = new AbortController()
  const second = await session.get({}, leaving.signal)
  expect(second.status).toBe(200)
  // It ends without an error.
  await first.text()
  expect(await session.isOpen()).toEqual([true])
  leaving.abort()
  await waitUntil('nobody listens', async () => (await session.isOpen())[0] === false)
})
