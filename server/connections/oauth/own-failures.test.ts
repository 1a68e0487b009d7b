import { expect, test } from 'bun:test'

import { link, nothingOffered, testAuthor, toConnection } from '../test-support/connections-under-test.ts'
import { type OAuthToolServer, startOAuthToolServer } from '../test-support/oauth-tool-server.ts'
import { sharedConnections } from '../test-support/shared-connections.ts'

const subject = sharedConnections({ vaultKey: Buffer.alloc(32, 8) })
const scope = { accountId: 'acc_anna', sessionId: 's' }

async function connected(tools: OAuthToolServer) {
  const service = subject.registry.put({ serviceId: 'mcpservers:oauth', authType: 'oauth', url: tools.url })
  const form = { service, secret: null, headerName: null, label: null }
  const { id } = await subject.connections.create(testAuthor('acc_anna'), form)
  const owner = { author: testAuthor('acc_anna'), sessionId: 'session-of-anna' }
  const start = await subject.connections.oauth.begin(owner, id, null)
  const back = start.kind === 'away' ? await tools.peer.browse(start.redirectTo) : null
  await subject.connections.oauth.finish(owner, back?.searchParams ?? new URLSearchParams())
  return { id, service }
}

/** Does the work while the database does not know the tokens. */
async function withoutTokens(work: () => Promise<void>): Promise<void> {
  await subject.database.run((sql) => sql`ALTER TABLE oauth_connections RENAME TO tokens_elsewhere`)
  try {
    await work()
  } finally {
    await subject.database.run((sql) => sql`ALTER TABLE tokens_elsewhere RENAME TO oauth_connections`)
  }
}

test('what fails in our database while a token is looked up is no failure of the tool server, by whichever door', async () => {
  const tools = subject.opened(await startOAuthToolServer())
  const { id, service } = await connected(tools)
  const late = subject.opened(subject.another()) // as after a restart: its first call asks for the token
  late.registry.put(service)
  const before = await late.connections.get(scope, id)
  const echo = { name: 'echo', arguments: { message: 'hi' } }
  const call = () => late.connections.callTool(scope, toConnection(id), echo, nothingOffered, link())
  const pass = () => {
    const body = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    const request = { method: 'POST', headers: new Headers(), signal: new AbortController().signal, body }
    return late.connections.passThrough(scope, id, nothingOffered, request)
  }
  await withoutTokens(async () => {
    // More often than a tool server may fail before it is left alone.
    for (let times = 0; times < 8; times += 1) await expect(call()).rejects.toThrow('oauth_connections')
    await expect(pass()).rejects.toThrow('oauth_connections')
  })
  expect(await late.connections.get(scope, id)).toEqual(before)
  expect(await call()).toMatchObject({ outcome: 'answered', result: { content: [{ text: 'hi' }] } })

  // And on a connection that is open.
  const [, token = ''] = tools.shown.at(-1)?.split(' ') ?? []
  tools.refuse(token)
  await withoutTokens(async () => void (await expect(call()).rejects.toThrow('oauth_connections')))
  expect(await call()).toMatchObject({ outcome: 'answered' })
})
