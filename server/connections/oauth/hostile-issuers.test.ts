import { beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { link, nothingOffered, testAuthor, toConnection } from '../test-support/connections-under-test.ts'
import { sharedConnections } from '../test-support/shared-connections.ts'

/** Tool servers and authorization servers that want what is not theirs. */

const subject = sharedConnections({ vaultKey: Buffer.alloc(32, 6) })
const owner = { author: testAuthor('acc_vera'), sessionId: 'session-of-vera' }
const vera = { accountId: 'acc_vera', sessionId: 's' }
const echo = { name: 'echo', arguments: {} }

interface Wishes {
  /** Replaces parts of the metadata; undefined leaves them out. */
  readonly resource?: Readonly<Record<string, unknown>>
  readonly issuer?: Readonly<Record<string, unknown>>
  /** Answers in place of the addresses below. */
  answer?(request: Request, path: string): Response | undefined | Promise<Response | undefined>
}

let wishes: Wishes = {}
let origin = ''
let thief = ''
const stolen: string[] = []

beforeAll(() => {
  const robber = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      stolen.push(
        `${request.method} ${request.url} ${request.headers.get('authorization')} ${await request.text()}`,
      )
      return Response.json({ access_token: 'x', token_type: 'Bearer' })
    },
  })
  thief = `http://127.0.0.1:${robber.port}`
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  origin = `http://127.0.0.1:${server.port}`
  for (const one of [robber, server]) subject.opened({ stop: () => one.stop(true) })
})

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const special = await wishes.answer?.(request, pathname)
  if (special !== undefined) return special
  if (pathname.startsWith('/.well-known/oauth-protected-resource'))
    return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin], ...wishes.resource })
  if (pathname.startsWith('/.well-known/')) return Response.json({ ...issuerMetadata(), ...wishes.issuer })
  if (pathname === '/register')
    return Response.json(
      { client_id: 'ours', redirect_uris: ['http://127.0.0.1:7000/oauth/callback'] },
      { status: 201 },
    )
  if (pathname === '/token')
    return Response.json({
      access_token: 'secret-token',
      refresh_token: 'secret-refresh',
      token_type: 'Bearer',
      expires_in: 3_600,
    })
  return new Response(null, { status: pathname === '/mcp' ? 401 : 404 })
}

const issuerMetadata = () => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
})

let count = 0
async function create(): Promise<string> {
  count += 1
  const serviceId = `mcpservers:hostile-${count}`
  const service = subject.registry.put({ serviceId, authType: 'oauth', url: `${origin}/mcp` })
  const form = { service, secret: null, headerName: null, label: null }
  return (await subject.connections.create(owner.author, form)).id
}

const begin = async (id: string) => subject.connections.oauth.begin(owner, id, null)

async function connected(code = 'a-code'): Promise<{ id: string; outcome: string }> {
  const id = await create()
  return { id, outcome: await agree(id, code) }
}

async function agree(id: string, code = 'a-code'): Promise<string> {
  const start = await begin(id)
  if (start.kind !== 'away') throw new Error(start.text)
  const state = new URL(start.redirectTo).searchParams.get('state') ?? ''
  const { outcome } = await subject.connections.oauth.finish(owner, new URLSearchParams({ state, code }))
  return outcome
}

/** As another process with the access of the latest connection over. */
async function laterElsewhere(id: string) {
  await subject.database.run(
    (sql) => sql`UPDATE oauth_connections SET expires_at = now() WHERE connection_id = ${id}`,
  )
  const late = subject.opened(subject.another())
  late.registry.put({ serviceId: `mcpservers:hostile-${count}`, authType: 'oauth', url: `${origin}/mcp` })
  return late
}

const forget = () => subject.database.run((sql) => sql`DELETE FROM oauth_registrations`)

describe('nobody is sent away by', () => {
  const refusals: readonly (readonly [string, string, () => Wishes])[] = [
    [
      'a resource of another origin',
      'other_resource',
      () => ({ resource: { resource: 'https://bank.example/mcp' } }),
    ],
    ['another path of the origin', 'other_resource', () => ({ resource: { resource: `${origin}/other` } })],
    [
      'no resource metadata',
      'metadata_missing',
      () => ({
        answer: (_, path) =>
          path.includes('protected-resource') ? new Response(null, { status: 404 }) : undefined,
      }),
    ],
    ['no authorization server', 'metadata_missing', () => ({ resource: { authorization_servers: [] } })],
    [
      'an issuer that is called otherwise',
      'metadata_missing',
      () => ({ issuer: { issuer: 'https://other.example' } }),
    ],
    [
      'an issuer without metadata',
      'metadata_missing',
      () => ({
        answer: (_, path) =>
          /oauth-authorization-server|openid/.test(path) ? new Response(null, { status: 404 }) : undefined,
      }),
    ],
    ['no PKCE', 'no_pkce', () => ({ issuer: { code_challenge_methods_supported: undefined } })],
    ['plain PKCE', 'no_pkce', () => ({ issuer: { code_challenge_methods_supported: ['plain'] } })],
    [
      'a script as address',
      'metadata_missing',
      () => ({ issuer: { authorization_endpoint: 'javascript:alert(1)' } }),
    ],
    [
      'a consent page without https',
      'insecure_address',
      () => ({ issuer: { authorization_endpoint: 'http://login.example/a' } }),
    ],
    [
      'a token address without https',
      'insecure_address',
      () => ({ issuer: { token_endpoint: 'http://tokens.example/t' } }),
    ],
    [
      'an issuer without https',
      'insecure_address',
      () => ({ resource: { authorization_servers: ['http://login.example'] } }),
    ],
    [
      'a registration that is refused',
      'not_registered',
      () => ({
        answer: (_, path) =>
          path === '/register'
            ? Response.json({ error: 'x', error_description: 'evil words' }, { status: 400 })
            : undefined,
      }),
    ],
    ['no way to register', 'not_registered', () => ({ issuer: { registration_endpoint: undefined } })],
    [
      'metadata elsewhere',
      'metadata_missing',
      () => ({
        answer: (_, path) =>
          path.includes('authorization-server') || path.includes('openid')
            ? Response.redirect(`${thief}${path}`, 307)
            : undefined,
      }),
    ],
  ]
  test.each(refusals)('%s', async (_name, problem, wish) => {
    await forget()
    wishes = wish()
    const start = await begin(await create())
    wishes = {}
    expect(start).toMatchObject({ kind: 'problem', problem })
    expect(JSON.stringify(start)).not.toContain('evil words')
    expect(stolen).toEqual([])
  })
})

test('a code goes to no other origin, whatever the token address answers', async () => {
  wishes = { answer: (_, path) => (path === '/token' ? Response.redirect(`${thief}/token`, 307) : undefined) }
  const { outcome } = await connected('secret-code')
  wishes = {}
  expect([outcome, stolen]).toEqual(['failed', []])
})

test.each([
  ['that no header can carry', { access_token: 'a\r\nx: y', token_type: 'Bearer' }],
  ['of another type', { access_token: 'abc', token_type: 'DPoP' }],
  ['of any size', { access_token: 'a'.repeat(20_000), token_type: 'Bearer' }],
])('tokens %s are not taken', async (_name, given) => {
  wishes = { answer: (_, path) => (path === '/token' ? Response.json(given) : undefined) }
  const { outcome } = await connected()
  wishes = {}
  expect(outcome).toBe('failed')
})

test('a token goes to no other origin, whatever the tool server answers', async () => {
  const { id, outcome } = await connected()
  expect(outcome).toBe('connected')
  wishes = { answer: (_, path) => (path === '/mcp' ? Response.redirect(`${thief}/mcp`, 307) : undefined) }
  const call = await subject.connections.callTool(vera, toConnection(id), echo, nothingOffered, link())
  wishes = {}
  expect(call.outcome).not.toBe('answered')
  expect(stolen).toEqual([])
})

test('a server that moves its accounts to another issuer gets a consent of its own, and no token of the former', async () => {
  const { id } = await connected()
  wishes = { resource: { authorization_servers: [thief] } }
  expect((await begin(id)).kind).toBe('problem') // who it names now says nothing of itself
  wishes = {}
  expect(stolen.filter((line) => line.includes('secret'))).toEqual([])
  stolen.length = 0
})

test('an authorization server that hangs holds no connection to the database, and ends nothing', async () => {
  const { id } = await connected()
  const late = await laterElsewhere(id)
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  wishes = {
    answer(_, path) {
      if (path !== '/token') return undefined
      asked.resolve()
      return released.promise.then(() => new Response(null, { status: 503 }))
    },
  }
  const call = () => late.connections.callTool(vera, toConnection(id), echo, nothingOffered, link())
  const calls = Array.from({ length: 20 }, call)
  await asked.promise
  await waitUntil('no transaction is held', async () => {
    const [held] = await subject.database.run(
      (sql) => sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
    return held?.count === 0
  })
  // With its connections held, the database would refuse these after a while: what hangs is not released yet.
  for (const list of await Promise.all(Array.from({ length: 30 }, () => late.connections.list(vera, []))))
    expect(list).not.toBeEmpty()
  released.resolve()
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome)
  wishes = {}
  // Calls that come when others have failed already find that the tool server is left alone for a while.
  expect(new Set(outcomes).add('busy')).toEqual(new Set(['busy', 'unreachable']))
  const kept = await subject.database.run(
    (sql) => sql<{ has: boolean }[]>`
      SELECT tokens_sealed IS NOT NULL AND refreshing_until IS NULL AS has FROM oauth_connections
      WHERE connection_id = ${id}`,
  )
  expect([...kept]).toEqual([{ has: true }])
})

test('what was renewed while its owner agreed anew, perhaps as somebody else, is sent to nobody', async () => {
  const { id } = await connected()
  const late = await laterElsewhere(id)
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const shown = new Set<string | null>()
  wishes = {
    async answer(request, path) {
      if (path === '/mcp') {
        shown.add(request.headers.get('authorization'))
        return new Response(null, { status: request.headers.has('authorization') ? 503 : 401 })
      }
      if (path !== '/token') return undefined
      const isRefresh = new URLSearchParams(await request.text()).get('grant_type') === 'refresh_token'
      if (isRefresh) {
        asked.resolve()
        await released.promise
      }
      const access_token = isRefresh ? 'of-the-former' : 'of-the-new-one'
      return Response.json({ access_token, refresh_token: 'next', token_type: 'Bearer', expires_in: 3_600 })
    },
  }
  const call = late.connections.callTool(vera, toConnection(id), echo, nothingOffered, link())
  await asked.promise
  expect(await agree(id)).toBe('connected')
  released.resolve()
  await call
  wishes = {}
  expect([...shown]).toEqual([null, 'Bearer of-the-new-one']) // null: discovery asks without
})

test.each([
  ['GitHub', 200, 'bad_refresh_token', 'consent_needed'],
  ['others', 400, 'invalid_refresh_token', 'consent_needed'],
  ['the standard', 400, 'invalid_grant', 'consent_needed'],
  ['a server that is busy', 429, 'rate_limited', 'unreachable'],
  ['a server that is ill', 500, 'internal', 'unreachable'],
  ['whatever is between', 401, null, 'unreachable'],
])('a refresh that is refused as by %s', async (_name, status, error, outcome) => {
  const { id } = await connected()
  const late = await laterElsewhere(id)
  let refreshes = 0
  wishes = {
    answer(_, path) {
      if (path !== '/token') return undefined
      refreshes += 1
      return error === null ? new Response('no', { status }) : Response.json({ error }, { status })
    },
  }
  const call = () => late.connections.callTool(vera, toConnection(id), echo, nothingOffered, link())
  const outcomes: string[] = [(await call()).outcome, (await call()).outcome]
  wishes = {}
  expect(outcomes).toEqual([outcome, outcome])
  // Its owner is told and nobody asks again, or nothing is ended.
  const isOver = outcome === 'consent_needed'
  expect(refreshes).toBe(isOver ? 1 : 2)
  expect((await late.connections.get(vera, id))?.status === 'consent_needed').toBe(isOver)
})

/** Refuses to store refreshed tokens from now on, which end the lease of their refresh. */
const takeNoTokens = () =>
  subject.database.run(
    (sql) => sql`
      ALTER TABLE oauth_connections ADD CONSTRAINT no_tokens CHECK (refreshing_until IS NOT NULL) NOT VALID`,
  )
const takeTokens = () =>
  subject.database.run((sql) => sql`ALTER TABLE oauth_connections DROP CONSTRAINT no_tokens`)

test('what was renewed and the database did not take is stored later, and no refresh token is used twice', async () => {
  const { id } = await connected()
  const late = await laterElsewhere(id)
  const used: (string | null)[] = []
  const shown = new Set<string | null>()
  wishes = {
    async answer(request, path) {
      if (path === '/mcp') {
        shown.add(request.headers.get('authorization'))
        return new Response(null, { status: 503 })
      }
      if (path !== '/token') return undefined
      used.push(new URLSearchParams(await request.text()).get('refresh_token'))
      return Response.json({
        access_token: `access-${used.length}`,
        refresh_token: `refresh-${used.length}`,
        token_type: 'Bearer',
        expires_in: 3_600,
      })
    },
  }
  const call = ({ connections } = late) =>
    connections.callTool(vera, toConnection(id), echo, nothingOffered, link())
  await takeNoTokens()
  await expect(call()).rejects.toThrow('no_tokens')
  await takeTokens()
  await call()
  expect([used, [...shown]]).toEqual([['secret-refresh'], ['Bearer access-1']])

  const other = await laterElsewhere(id)
  await takeNoTokens()
  await expect(call(other)).rejects.toThrow('no_tokens')
  await takeTokens()
  // Nobody calls here any more: it is stored for the other processes all the same.
  await waitUntil('it is stored', async () => {
    const [row] = await subject.database.run(
      (sql) => sql<{ is_stored: boolean }[]>`
        SELECT refreshing_until IS NULL AS is_stored FROM oauth_connections WHERE connection_id = ${id}`,
    )
    return row?.is_stored === true
  })
  await call(await laterElsewhere(id))
  wishes = {}
  expect(used).toEqual(['secret-refresh', 'refresh-1', 'refresh-2'])
})

test('a stream on which nothing is called asks its owner for no scopes', async () => {
  const { id } = await connected()
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' }
  wishes = {
    answer: (_, path) => (path === '/mcp' ? new Response(null, { status: 403, headers }) : undefined),
  }
  const ask = async (method: string) => {
    const body = method === 'GET' ? null : new TextEncoder().encode('{"id":1,"method":"tools/list"}')
    const request = { method, headers: new Headers(), signal: new AbortController().signal, body }
    return (await subject.connections.passThrough(vera, id, nothingOffered, request)).text()
  }
  expect(await ask('GET')).toContain('wants other credentials')
  expect(await ask('POST')).toContain(`/gateway/connect/${id}`)
  wishes = {}
})
