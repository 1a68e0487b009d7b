import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import {
  type AgentNode,
  agentNode,
  anna,
  consent,
  origin,
  queryOf,
  redirectUri,
} from '../test-support/agent-node.ts'
import { startClientSite } from '../test-support/client-site.ts'

const site = startClientSite()
const { host, documents, asked, at, documentAt, serve } = site

let own: TestDatabase
let node: AgentNode

beforeAll(async () => {
  own = await testDatabase()
  node = await agentNode(own.database, site.trusting)
})

afterAll(async () => {
  await node.stop()
  await own.drop()
  await site.stop()
})

let accounts = 0
const ask = (query: string) => node.access.ask(`acc_asking_${++accounts}`, query, origin)
const problemOf = async (query: string) => {
  const answer = await ask(query)
  return answer.kind === 'problem' ? answer.problem : answer.kind
}

describe('a document', () => {
  test('is a client whose host is verified, and is read once while it is fresh', async () => {
    const id = serve('/client.json', documentAt('/client.json'), { 'cache-control': 'public, max-age=600' })
    for (let times = 0; times < 3; times++) {
      expect(await ask(queryOf(id))).toMatchObject({
        kind: 'ask',
        request: {
          clientName: 'An agent',
          verifiedHost: host,
          sendsTo: { kind: 'this_machine' },
        },
      })
    }
    expect(asked.filter((path) => path === '/client.json').length).toBe(1)
    await own.database.run((sql) => sql`UPDATE agent_clients SET fresh_until = now() WHERE id = ${id}`)
    await ask(queryOf(id))
    expect(asked.filter((path) => path === '/client.json').length).toBe(2)
  })

  test.each([
    ['another id', { client_id: 'https://agent.example/other.json' }],
    ['no address that anybody is sent to', { redirect_uris: ['http://agent.example/back'] }],
    ['a hidden character in its name', { client_name: 'Clau\u200bde' }],
    ['a secret', { client_secret: 'x' }],
    ['a proof that is not known', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['keys by http', { jwks_uri: 'http://agent.example/keys' }],
  ])('with %s is none', async (name, over) => {
    const path = `/${name.replaceAll(' ', '-')}.json`
    expect(await problemOf(queryOf(serve(path, documentAt(path, over))))).toBe('client_unreadable')
  })

  test('that redirects, is too large, too slow, of another type or away is none, and is not asked for again at once', async () => {
    documents.set('/moved', () => Response.redirect(at('/client.json'), 302))
    documents.set(
      '/page',
      () => new Response(JSON.stringify(documentAt('/page')), { headers: { 'content-type': 'text/html' } }),
    )
    serve('/large', documentAt('/large', { filler: 'x'.repeat(17_000) }))
    documents.set('/slow', () => new Promise<Response>(() => undefined))
    for (const path of ['/moved', '/page', '/large', '/slow', '/away']) {
      expect(await problemOf(queryOf(at(path)))).toBe('client_unreadable')
      expect(await problemOf(queryOf(at(path)))).toBe('client_unreadable')
      expect(asked.filter((found) => found === path).length).toBe(1)
    }
  }, 10_000)

  test.each([
    'http://agent.example/c.json',
    'https://agent.example',
    'https://agent.example/a/../c.json',
    'https://u@agent.example/c.json',
    'https://agent.example/c.json#x',
    'gcl_unknown',
    'x',
  ])('%s is not the id of one', async (id) => expect(await problemOf(queryOf(id))).toBe('client_unknown'))

  test('at a private address makes no connection', async () => {
    const guarded = await agentNode(own.database, { ...site.trusting, allowPrivate: [] })
    const connections = asked.length
    const { port } = new URL(at('/'))
    const addresses = [
      '127.0.0.1',
      '[::1]',
      '10.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '[::ffff:7f00:1]',
      '192.168.1.1',
      'agent.example',
    ]
    for (const [place, address] of addresses.entries()) {
      const answer = await guarded.access.ask(
        `acc_${place}`,
        queryOf(`https://${address}:${port}/c.json`),
        origin,
      )
      expect(answer).toMatchObject({ kind: 'problem', problem: 'client_unreadable' })
    }
    expect(asked.length).toBe(connections)
    await guarded.stop()
  })

  test('is read ten times a minute for one account at most', async () => {
    const codes: unknown[] = []
    for (let place = 0; place < 12; place++) {
      const path = `/many-${place}.json`
      const id = serve(path, documentAt(path))
      codes.push(
        await node.access.ask('acc_curious', queryOf(id), origin).then(
          ({ kind }) => kind,
          (error: { code: string }) => error.code,
        ),
      )
    }
    expect(codes).toEqual([...Array<string>(10).fill('ask'), 'rate_limited', 'rate_limited'])
  })

  test('that changed since it was shown is not agreed to', async () => {
    const id = serve('/changing.json', documentAt('/changing.json'))
    const shown = await ask(queryOf(id))
    if (shown.kind !== 'ask') throw new Error(shown.kind)
    serve('/changing.json', documentAt('/changing.json', { client_name: 'Somebody else' }))
    await own.database.run((sql) => sql`UPDATE agent_clients SET fresh_until = now() WHERE id = ${id}`)
    const { fingerprint, scopes } = shown.request
    const decided = node.access.decide(anna, { query: queryOf(id), fingerprint, scopes }, origin)
    expect(await decided.catch((error: unknown) => error)).toMatchObject({ code: 'conflict' })
  })
})

describe('registration', () => {
  test('of the same metadata is the same client', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => (await node.register([redirectUri], 'Twin')).client_id),
    )
    expect(new Set(ids).size).toBe(1)
    const rows = await own.database.run((sql) => sql`SELECT 1 FROM agent_clients WHERE name = 'Twin'`)
    expect(rows.length).toBe(1)
    expect(await ask(queryOf(ids[0] ?? ''))).toMatchObject({
      request: { clientName: 'Twin', verifiedHost: null },
    })
  })

  test('is limited to 20 an hour for an address', async () => {
    const limited = await agentNode(own.database)
    const statuses: number[] = []
    for (let times = 0; times < 21; times++) statuses.push((await limited.register()).status)
    expect(statuses).toEqual([...Array<number>(20).fill(201), 429])
    await limited.stop()
  })

  test.each([
    ['https://a.example/cb', 201],
    ['http://localhost/cb', 201],
    ['http://[::1]:3/cb', 201],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 201],
    ['http://a.example/cb', 400],
    ['https://a.example/cb#x', 400],
    ['https://*.example/cb', 400],
    ['https://u@a.example/cb', 400],
    ['data:text/html,x', 400],
    ['javascript:alert(1)', 400],
    ['custom://x', 400],
    ['https:\\\\a.example', 400],
  ])('with %s is answered by %d', async (uri, status) => {
    const fresh = await agentNode(own.database)
    const answer = await fresh.register([uri])
    expect(answer).toMatchObject(status === 201 ? { status } : { status, error: 'invalid_redirect_uri' })
    await fresh.stop()
  })

  test('leaves out addresses that nobody is sent to, as Cursor registers several kinds at once', async () => {
    const good = [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'http://localhost:8787/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ]
    expect((await node.register([...good, 'unknown-scheme://x'])).redirect_uris).toEqual(good)
  })

  test('can be off, and is off where only some hosts are admitted', async () => {
    for (const settings of [{ canRegister: false }, { clientHosts: ['claude.ai'] }]) {
      const closed = await agentNode(own.database, { settings })
      expect(await closed.register()).toMatchObject({ status: 403, error: 'access_denied' })
      expect(await (await closed.send('/.well-known/oauth-authorization-server')).json()).not.toHaveProperty(
        'registration_endpoint',
      )
      await closed.stop()
    }
    const picky = await agentNode(own.database, { settings: { clientHosts: ['claude.ai'] } })
    expect(await picky.access.ask('acc_1', queryOf(at('/client.json')), origin)).toMatchObject({
      problem: 'client_not_admitted',
    })
    await picky.stop()
  })
})

test('nobody is sent to an address that is not one of the client; only the port of a loopback address is free', async () => {
  const { client_id: id } = await node.register([redirectUri], 'Strict')
  const foreign = [
    'http://127.0.0.1:1/other',
    'https://evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    `${redirectUri}/`,
    'http://127.0.0.1:49152@evil.example/callback',
    'http://localhost:49152/callback',
    'http://127.0.0.1:49152/CALLBACK',
    'http://127.0.0.1:49152/%63allback',
    `${redirectUri}?x=1`,
    `${redirectUri}#x`,
    'javascript:alert(1)',
    '',
  ]
  for (const uri of foreign)
    expect([uri, await problemOf(queryOf(id, { redirect_uri: uri }))]).toEqual([
      uri,
      'redirect_not_registered',
    ])
  expect(await problemOf(`${queryOf(id)}&redirect_uri=${encodeURIComponent(redirectUri)}`)).toBe(
    'request_malformed',
  )
  const back = await consent(node, queryOf(id, { redirect_uri: 'http://127.0.0.1:50001/callback' }))
  expect([back.port, back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([
    '50001',
    'xyz',
    origin,
  ])
})

test.each([
  ['scope', 'everything', 'invalid_scope'],
  ['resource', 'https://elsewhere.example/mcp', 'invalid_target'],
  ['code_challenge_method', 'plain', 'invalid_request'],
  ['response_type', 'token', 'unsupported_response_type'],
  ['response_type', '', 'invalid_request'],
  ['prompt', 'none', 'interaction_required'],
  ['request', 'x', 'request_not_supported'],
])('a client is told of a wrong %s at its own address, with the issuer', async (name, wrong, error) => {
  const { client_id: id } = await node.register([redirectUri], 'Told')
  const back = await consent(node, queryOf(id, { [name]: wrong }))
  const { searchParams } = back
  expect(back.href).toStartWith(redirectUri)
  expect([
    searchParams.get('error'),
    searchParams.get('iss'),
    searchParams.get('state'),
    searchParams.get('code'),
  ]).toEqual([error, origin, 'xyz', null])
})

test('who declines, or agrees to nothing that was asked for, gives no code', async () => {
  const { client_id: id } = await node.register([redirectUri], 'Declined')
  const shown = await ask(queryOf(id))
  if (shown.kind !== 'ask') throw new Error(shown.kind)
  const { fingerprint } = shown.request
  for (const scopes of [null, [], ['statistics_read'] as const]) {
    const { redirectTo } = await node.access.decide(anna, { query: queryOf(id), fingerprint, scopes }, origin)
    expect(new URL(redirectTo).searchParams.get('error')).toBe('access_denied')
  }
})

const counts = () =>
  own.database.run(
    (sql) =>
      sql`SELECT (SELECT count(*) FROM agent_clients) AS clients, (SELECT count(*) FROM agent_codes) AS codes`,
  )

test('strangers make this server read nothing and store nothing', async () => {
  const before = [await counts(), asked.length]
  const unknown = at('/never-read.json')
  const answer = await node.send(`/oauth/authorize?${queryOf(unknown)}`)
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null])
  expect(answer.headers.get('location')).toBe(`${origin}/connect-agent?${queryOf(unknown)}`)
  expect([await counts(), asked.length]).toEqual(before)
  expect((await node.send(`/oauth/authorize?x=${'y'.repeat(5_000)}`)).status).toBe(414)
})

test('OAuth is not there where the address is neither https nor loopback', async () => {
  const plain = await agentNode(own.database, { address: 'http://gatehouse.example' })
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize']) {
    expect((await plain.send(path)).status).toBe(404)
  }
  expect(
    await plain.access.ask('acc_1', queryOf('gcl_x'), origin).catch((error: unknown) => error),
  ).toMatchObject({ code: 'not_found' })
  await plain.stop()
})
