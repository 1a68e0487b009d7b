import { beforeAll, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

import * as z from 'zod'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import {
  type ConnectionsUnderTest,
  link,
  nothingOffered,
  testAuthor,
  toConnection,
} from '../test-support/connections-under-test.ts'
import { type OAuthToolServer, startOAuthToolServer } from '../test-support/oauth-tool-server.ts'
import { sharedConnections } from '../test-support/shared-connections.ts'

const vaultKey = Buffer.alloc(32, 5)
const recorded: unknown[] = []
const subject = sharedConnections({
  vaultKey,
  toolCalls: { finished: (call, { result }) => void recorded.push(call.withoutSecret(result)) },
})
let tools: OAuthToolServer

const byOAuth = { serviceId: 'mcpservers:oauth', authType: 'oauth' } as const
const ownerOf = (accountId: string, sessionId = `session-of-${accountId}`) => ({
  author: testAuthor(accountId),
  sessionId,
})
const ended = (outcome: string) => expect.objectContaining({ outcome })
const scopeFor = (accountId: string) => ({ accountId, sessionId: 's' })

beforeAll(async () => {
  tools = subject.opened(await startOAuthToolServer())
  subject.registry.put({ ...byOAuth, url: tools.url })
})

async function create(accountId: string): Promise<string> {
  const service = subject.registry.put({ ...byOAuth, url: tools.url })
  const { id } = await subject.connections.create(testAuthor(accountId), {
    service,
    secret: null,
    headerName: null,
    label: null,
  })
  return id
}

/** Goes to the authorization server and agrees. Returns the parameters with which it sends the browser back. */
async function agree(accountId: string, id: string): Promise<URLSearchParams> {
  const start = await subject.connections.oauth.begin(ownerOf(accountId), id, null)
  if (start.kind !== 'away') throw new Error(`${start.problem}: ${start.text}`)
  const back = await tools.peer.browse(start.redirectTo)
  if (back === null) throw new Error('nobody could agree')
  expect(`${back.origin}${back.pathname}`).toBe('http://127.0.0.1:7000/oauth/callback')
  return back.searchParams
}

async function connected(accountId: string): Promise<string> {
  const id = await create(accountId)
  const back = await agree(accountId, id)
  const end = await subject.connections.oauth.finish(ownerOf(accountId), back)
  expect(end).toEqual({ outcome: 'connected', connectionId: id })
  return id
}

const call = (
  accountId: string,
  id: string,
  name = 'echo',
  { connections }: Pick<ConnectionsUnderTest, 'connections'> = subject,
) =>
  connections.callTool(
    scopeFor(accountId),
    toConnection(id),
    { name, arguments: { message: 'hi' } },
    nothingOffered,
    link(),
  )

const expire = (id: string) =>
  subject.database.run(
    (sql) => sql`UPDATE oauth_connections SET expires_at = now() WHERE connection_id = ${id}`,
  )

const tokenRequests = (): number => tools.peer.requests.filter((line) => line === 'POST /oauth/token').length

const manyCalls = { total: 1_024, perPrincipal: 200, perOrigin: 256 }

/** As after a restart: nothing in memory. */
function another(): ConnectionsUnderTest {
  const made = subject.opened(subject.another({ settings: { calls: manyCalls } }))
  made.registry.put({ ...byOAuth, url: tools.url })
  return made
}

test('a connection by OAuth: consent is needed, given, and a tool is called', async () => {
  const id = await create('acc_anna')
  expect(await subject.connections.get(scopeFor('acc_anna'), id)).toMatchObject({
    status: 'consent_needed',
    oauth: { issuerHost: null, scopes: [] },
  })
  expect(await call('acc_anna', id)).toEqual({
    outcome: 'consent_needed',
    serviceId: 'mcpservers:oauth',
    connectionId: id,
    why: 'consent_needed',
    url: `http://127.0.0.1:7000/gateway/connect/${id}`,
  })
  const back = await agree('acc_anna', id)
  expect(await subject.connections.oauth.finish(ownerOf('acc_anna'), back)).toEqual({
    outcome: 'connected',
    connectionId: id,
  })
  expect(await call('acc_anna', id)).toMatchObject({
    outcome: 'answered',
    result: { content: [{ text: 'hi' }] },
  })
  const seen = () => subject.connections.get(scopeFor('acc_anna'), id)
  await waitUntil('the use is noted', async () => (await seen())?.status === 'connected')
  expect(await seen()).toMatchObject({
    oauth: { issuerHost: new URL(tools.peer.issuer).host, scopes: expect.arrayContaining(['tools_use']) },
  })
  expect(subject.events.map(({ action }) => action)).toEqual(['connection.create', 'connection.consent'])
})

test('a client id of the file is used where the authorization server gave one, and it registers nobody', async () => {
  const registered = await fetch(`${tools.peer.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['http://127.0.0.1:7000/oauth/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  })
  const given = z.object({ client_id: z.string(), client_secret: z.string() }).parse(await registered.json())
  const registrations = () => tools.peer.requests.filter((line) => line === 'POST /oauth/register').length
  const before = registrations()
  const own = { issuer: tools.peer.issuer, clientId: given.client_id, clientSecret: given.client_secret }
  const installed = subject.opened(subject.another({ fileIssuers: [own] }))
  const service = installed.registry.put({ ...byOAuth, url: tools.url })
  const form = { service, secret: null, headerName: null, label: null }
  const { oauth, create: save } = installed.connections
  const { id } = await save(testAuthor('acc_fay'), form)
  const start = await oauth.begin(ownerOf('acc_fay'), id, null)
  const away = new URL(start.kind === 'away' ? start.redirectTo : '')
  expect(away.searchParams.get('client_id')).toBe(given.client_id)
  const back = await tools.peer.browse(away)
  expect(await oauth.finish(ownerOf('acc_fay'), back?.searchParams ?? new URLSearchParams())).toEqual(
    ended('connected'),
  )
  await expire(id)
  expect(await call('acc_fay', id, 'echo', installed)).toMatchObject({ outcome: 'answered' })
  expect(registrations()).toBe(before)
  expect(await oauth.issuers.list()).toContainEqual({
    issuer: tools.peer.issuer,
    origin: 'file',
    clientId: given.client_id,
    createdAt: null,
  })
  const changed = { ...own, clientId: 'another' }
  expect(await oauth.issuers.set(testAuthor('acc_fay'), changed).catch(String)).toContain(
    'managed by the file',
  )
})

test('an answer for a team is taken from a member who still may act for it', async () => {
  const { oauth } = subject.connections
  const id = await create('acc_team')
  const left = ownerOf('acc_bert', 'session-of-acc_team')
  const back = await agree('acc_team', id)
  const removed = await oauth.finish({ ...left, forTeam: async () => null }, back)
  expect(removed).toEqual(ended('expired'))
  const end = await oauth.finish({ ...left, forTeam: async (team) => testAuthor(team) }, back)
  expect(end).toEqual({ outcome: 'connected', connectionId: id })
})

test('an answer is taken once, from the account and web session that left, with its issuer', async () => {
  const { oauth } = subject.connections
  const id = await create('acc_bert')
  const back = await agree('acc_bert', id)
  expect(await oauth.finish(ownerOf('acc_mallory', 'session-of-acc_bert'), back)).toEqual(ended('expired'))
  expect(await oauth.finish(ownerOf('acc_bert', 'another browser'), back)).toEqual(ended('expired'))
  const before = tokenRequests()
  const mixedUp = new URLSearchParams(back)
  mixedUp.set('iss', 'https://elsewhere.example')
  expect(await oauth.finish(ownerOf('acc_bert'), mixedUp)).toEqual(ended('failed'))
  expect(await oauth.finish(ownerOf('acc_bert'), back)).toEqual(ended('expired')) // it was used up
  const without = await agree('acc_bert', id)
  without.delete('iss')
  expect(await oauth.finish(ownerOf('acc_bert'), without)).toEqual(ended('failed'))
  expect(tokenRequests()).toBe(before) // no code went anywhere
  for (const [error, outcome] of [
    ['access_denied', 'declined'],
    ['server_error', 'failed'],
  ] as const) {
    const refused = await agree('acc_bert', id)
    refused.delete('code')
    refused.set('error', error)
    expect(await oauth.finish(ownerOf('acc_bert'), refused)).toEqual(ended(outcome))
  }
  const late = await agree('acc_bert', id)
  await subject.database.run((sql) => sql`UPDATE oauth_away SET expires_at = now() - interval '1 second'`)
  expect(await oauth.finish(ownerOf('acc_bert'), late)).toEqual(ended('expired'))
})

test('nobody begins a consent for the connection of another account', async () => {
  const id = await create('acc_carol')
  const begun = subject.connections.oauth.begin(ownerOf('acc_mallory'), id, null)
  await expect(begun).rejects.toMatchObject({ code: 'not_found' })
})

test('nothing that opens anything can be read in the database', async () => {
  const id = await connected('acc_dora')
  await call('acc_dora', id)
  await agree('acc_dora', id) // somebody is away
  const tables = ['connections', 'oauth_connections', 'oauth_registrations', 'oauth_away']
  const rows = await Promise.all(
    tables.map((table) => subject.database.run((sql) => sql`SELECT * FROM ${sql(table)}`)),
  )
  const text = JSON.stringify(rows)
  const token = tools.shown.at(-1)?.replace('Bearer ', '') ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect(text).not.toContain(token)
  expect(text).toContain('v1.')
  expect(text).not.toMatch(/refresh_token|code_verifier|accessToken/)
})

test('a token that is over is renewed once for 60 calls at once, of three that share the database only; then it comes from memory', async () => {
  const id = await connected('acc_erna')
  await call('acc_erna', id)
  await expire(id)
  const before = tokenRequests()
  const processes = [another(), another(), another()]
  const calls = Array.from({ length: 60 }, (_, place) =>
    call('acc_erna', id, 'echo', processes[place % processes.length]),
  )
  const outcomes = await Promise.all(calls)
  expect(outcomes.filter(({ outcome }) => outcome !== 'answered')).toEqual([])
  expect(tokenRequests() - before).toBe(1)
  expect(await call('acc_erna', id, 'echo', processes[0])).toMatchObject({ outcome: 'answered' })
  expect(tokenRequests() - before).toBe(1)
})

test('500 askers at the same moment, in three processes, make one request to the authorization server', async () => {
  const id = await connected('acc_ines')
  await expire(id)
  const before = tokenRequests()
  const released = Promise.withResolvers<void>()
  tools.peer.holdTokens(released.promise)
  const path = fileURLToPath(new URL('../test-support/refreshing-program.ts', import.meta.url))
  const programs = [167, 167, 166].map((times) => {
    const args = [path, subject.databaseUrl, vaultKey.toString('hex'), id, String(times)]
    const program = Bun.spawn([process.execPath, ...args], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    subject.opened({ stop: () => program.kill() })
    return { program, lines: linesOf(program.stdout), times }
  })
  for (const { lines } of programs) expect((await lines.next()).value).toBe('ready')
  for (const { program } of programs) program.stdin.write('go\n')
  // Nobody has an answer yet: all 500 wait at this moment.
  for (const { lines, times } of programs) expect((await lines.next()).value).toBe(`asked ${times}`)
  released.resolve()
  for (const { lines, times } of programs) expect((await lines.next()).value).toBe(`got ${times} of 1`)
  expect(tokenRequests() - before).toBe(1)
})

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

test('a token that the tool server refuses is renewed once, and the call is made', async () => {
  const id = await connected('acc_fritz')
  await call('acc_fritz', id)
  const old = tools.shown.at(-1) ?? ''
  tools.refuse(old.replace('Bearer ', ''))
  const before = tokenRequests()
  expect(await call('acc_fritz', id)).toMatchObject({ outcome: 'answered' })
  expect(tokenRequests() - before).toBe(1)
  expect(tools.shown.at(-1)).not.toBe(old)
})

test('a process that died while it renewed holds up nobody for longer than its lease', async () => {
  const id = await connected('acc_gert')
  const began = performance.now() // before the lease begins, which the database counts
  await subject.database.run(
    (sql) => sql`
      UPDATE oauth_connections SET expires_at = now(), refreshing_until = now() + interval '1 second'
      WHERE connection_id = ${id}`,
  )
  expect(await call('acc_gert', id, 'echo', another())).toMatchObject({ outcome: 'answered' })
  expect(performance.now() - began).toBeGreaterThan(990)
})

test('a refresh token that is over leaves the connection to its owner', async () => {
  const id = await connected('acc_hans')
  const read = () =>
    subject.database.run(
      (sql) =>
        sql<
          { tokens_sealed: string | null }[]
        >`SELECT tokens_sealed FROM oauth_connections WHERE connection_id = ${id}`,
    )
  const [first] = await read()
  await expire(id)
  expect(await call('acc_hans', id, 'echo', another())).toMatchObject({ outcome: 'answered' })
  await subject.database.run(
    (sql) => sql`
      UPDATE oauth_connections SET tokens_sealed = ${first?.tokens_sealed ?? ''}, expires_at = now()
      WHERE connection_id = ${id}`,
  ) // a refresh token that was used, as a thief would have it
  const late = another()
  expect(await call('acc_hans', id, 'echo', late)).toMatchObject({
    outcome: 'consent_needed',
    why: 'consent_needed',
  })
  expect((await read())[0]?.tokens_sealed).toBeNull()
  expect(late.events.map(({ action, actor }) => [action, actor.id])).toEqual([
    ['connection.consent_lost', 'gateway'],
  ])
  await subject.connections.oauth.finish(ownerOf('acc_hans'), await agree('acc_hans', id))
  expect(await call('acc_hans', id, 'echo', late)).toMatchObject({ outcome: 'answered' }) // in the other process, too
})

test('a call that lacks a scope asks its owner for the union, at most three times an hour', async () => {
  const id = await connected('acc_ida')
  const ask = async (scope: string) => {
    tools.wantScope(scope)
    const outcome = await call('acc_ida', id)
    tools.wantScope(null)
    return outcome
  }
  expect(await ask('write')).toMatchObject({ outcome: 'consent_needed', why: 'more_scope_needed' })
  expect(await ask('write')).toMatchObject({ outcome: 'consent_needed', why: 'more_scope_needed' })
  const start = await subject.connections.oauth.begin(ownerOf('acc_ida'), id, null)
  if (start.kind !== 'away') throw new Error(start.text)
  const asked = new URL(start.redirectTo).searchParams.get('scope')?.split(' ')
  expect(asked).toEqual(expect.arrayContaining(['tools_use', 'write']))
  expect(await call('acc_ida', id)).toMatchObject({ outcome: 'answered' }) // what it may do goes on
  expect(await ask('more')).toMatchObject({ why: 'more_scope_needed' })
  expect(await ask('even_more')).toMatchObject({ why: 'more_scope_needed' })
  expect(await ask('everything')).toMatchObject({ outcome: 'auth_required' })
})

test('what is deleted is deleted here first, and then revoked there', async () => {
  const id = await connected('acc_jan')
  await call('acc_jan', id)
  const token = tools.shown.at(-1)?.replace('Bearer ', '') ?? ''
  expect(await tools.peer.isToken(token)).toBe(true)
  expect(await subject.connections.delete(testAuthor('acc_jan'), id)).toEqual({ isRevoked: true })
  expect(tools.peer.requests.at(-1)).toBe('POST /oauth/revoke')
  expect(await call('acc_jan', id)).toEqual({ outcome: 'unknown_connection' })
})

test('a tool server that quotes its token tells nobody', async () => {
  const id = await connected('acc_kurt')
  const outcome = await call('acc_kurt', id, 'quote')
  expect(outcome).toMatchObject({ outcome: 'answered', result: { content: [{ text: 'Bearer [secret]' }] } })
})

const passed = (
  { connections }: Pick<ConnectionsUnderTest, 'connections'>,
  accountId: string,
  id: string,
  message: object,
): Promise<Response> =>
  connections.passThrough(scopeFor(accountId), id, nothingOffered, {
    method: 'POST',
    headers: new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer gak_ours',
    }),
    signal: new AbortController().signal,
    body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })),
  })

test('the pass-through shows the token, and renews it', async () => {
  const id = await connected('acc_lena')
  await expire(id)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const answer = await passed(another(), 'acc_lena', id, { method: 'initialize', params })
  expect([answer.status, tools.shown.join().includes('gak_ours')]).toEqual([200, false])
})

test('a quoted token is not in what is kept of a call', async () => {
  const id = await connected('acc_mia')
  const answer = await passed(subject, 'acc_mia', id, { method: 'tools/call', params: { name: 'quote' } })
  expect(await answer.text()).toContain('[secret]')
  expect(recorded.at(-1)).toMatchObject({ content: [{ text: 'Bearer [secret]' }] })
})
