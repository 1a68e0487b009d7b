import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { author, connectTo, hashKey } from '../keys/test-support/key-world.ts'
import type { Database } from '../platform/database.ts'
import {
  type AgentNode,
  type TokenReply,
  agentNode,
  anna,
  codeForm,
  consent,
  origin,
  queryOf,
} from './test-support/agent-node.ts'
import { accessPrefix, createTokenValues } from './token-values.ts'

let own: TestDatabase
let second: Database
let here: AgentNode
let there: AgentNode
let clientId: string

beforeAll(async () => {
  own = await testDatabase()
  second = await connectTo(own.url)
  here = await agentNode(own.database)
  there = await agentNode(second)
  clientId = (await here.register()).client_id
})

afterAll(async () => {
  for (const node of [here, there]) await node.stop()
  await second.close()
  await own.drop()
})

const gateway = { address: '198.51.100.7', resource: '/mcp', needs: ['gateway_use'] } as const

const opensAt = async ({ access }: AgentNode, { access_token: token }: TokenReply, resource = '/mcp') =>
  (await access.check(token, { ...gateway, resource })).kind

/** A code that is exchanged. */
async function connected(over: Record<string, string> = {}, by?: typeof anna): Promise<TokenReply> {
  const reply = await here.token(await codeForm(here, clientId, over, by))
  expect(reply.status).toBe(200)
  return reply
}

const refreshAt = (node: AgentNode, refreshToken: string, over: Record<string, string> = {}) =>
  node.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...over })

test('a code gives tokens that open the gateway at both processes', async () => {
  const reply = await connected()
  expect(reply.access_token).toStartWith('gat_')
  expect(reply.refresh_token).toStartWith('gar_')
  expect(reply.scope).toBe('gateway_use')
  expect([await opensAt(here, reply), await opensAt(there, reply)]).toEqual(['allowed', 'allowed'])
})

test('of 8 exchanges of one code at once at two processes one succeeds, and what it got is revoked', async () => {
  const form = await codeForm(here, clientId)
  const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 ? there : here).token(form)))
  const [won, ...others] = replies.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  expect(replies.filter(({ error }) => error === 'invalid_grant').length).toBe(7)
  if (won === undefined) throw new Error('nobody got tokens')
  expect([await opensAt(here, won), await opensAt(there, won)]).toEqual(['invalid', 'invalid'])
  expect((await refreshAt(there, won.refresh_token)).status).toBe(400)
  expect(here.events.concat(there.events).at(-1)).toMatchObject({ action: 'agent.disconnect' })
})

test.each([
  [{}, 'invalid_request'],
  [{ grant_type: '' }, 'invalid_request'],
  [{ grant_type: 'password' }, 'unsupported_grant_type'],
  [{ grant_type: 'refresh_token' }, 'invalid_request'],
  [{ grant_type: 'authorization_code' }, 'invalid_request'],
  [{ grant_type: 'refresh_token', refresh_token: 'gar_unknown' }, 'invalid_grant'],
])(
  'what is missing is told apart from what is wrong, case %#',
  async (form: Record<string, string>, error) => {
    expect(await here.token({ client_id: clientId, ...form })).toMatchObject({ status: 400, error })
  },
)

test.each([
  ['code_verifier', 'w'.repeat(43)],
  ['redirect_uri', 'http://127.0.0.1:2/callback'],
  ['resource', 'https://elsewhere.example/mcp'],
])('a wrong %s gets nothing, and uses the code up', async (name, wrong) => {
  const form = await codeForm(here, clientId)
  expect((await here.token({ ...form, [name]: wrong })).status).toBe(400)
  expect((await here.token(form)).error).toBe('invalid_grant')
})

test('a client of OAuth 2.1, which names no redirect_uri any more and sends an empty secret, is let in', async () => {
  const { redirect_uri: _left, ...form } = await codeForm(here, clientId)
  expect(await here.token({ ...form, client_secret: '' })).toMatchObject({ status: 200 })
})

test('a code of another client, and one that is over, give nothing', async () => {
  const { client_id: other } = await here.register(['https://other.example/back'])
  expect((await here.token({ ...(await codeForm(here, clientId)), client_id: other })).error).toBe(
    'invalid_grant',
  )
  const form = await codeForm(here, clientId)
  await own.database.run((sql) => sql`UPDATE agent_codes SET expires_at = now() - interval '1 second'`)
  expect((await here.token(form)).error).toBe('invalid_grant')
})

test('8 refreshes at once at two processes: each is served, with one and the same successor', async () => {
  const first = await connected()
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, at) => refreshAt(at % 2 ? there : here, first.refresh_token)),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(new Set(replies.map((reply) => reply.refresh_token)).size).toBe(1)
  for (const reply of replies) expect(await opensAt(there, reply)).toBe('allowed')
})

test('a refresh token whose successor was used ends the whole grant', async () => {
  const owner = { ...anna, accountId: 'acc_robbed' }
  const first = await connected({}, owner)
  expect(await here.access.reused(owner.accountId)).toEqual([])
  const next = await refreshAt(here, first.refresh_token)
  const last = await refreshAt(there, next.refresh_token)
  expect(await opensAt(here, last)).toBe('allowed')
  expect((await refreshAt(here, first.refresh_token)).error).toBe('invalid_grant')
  expect((await refreshAt(there, last.refresh_token)).error).toBe('invalid_grant')
  expect([await opensAt(here, last), await opensAt(there, last)]).toEqual(['invalid', 'invalid'])
  expect(here.events.at(-1)?.before).toMatchObject({ why: 'refresh_reused' })
  expect(await there.access.reused(owner.accountId)).toMatchObject([{ clientName: 'A program' }])
  expect(await there.access.reused(anna.accountId)).toEqual([])
})

test('a refresh token that comes again after two minutes ends the whole grant', async () => {
  const first = await connected()
  const next = await refreshAt(here, first.refresh_token)
  await own.database.run((sql) => sql`UPDATE agent_tokens SET used_at = used_at - interval '121 seconds'`)
  expect((await refreshAt(here, first.refresh_token)).status).toBe(400)
  expect((await refreshAt(here, next.refresh_token)).status).toBe(400)
})

test('a refresh token is for its client, its resource and its scopes', async () => {
  const first = await connected()
  const { client_id: other } = await here.register(['https://other.example/back'])
  for (const over of [
    { client_id: other },
    { resource: `${origin}/account` },
    { scope: 'gateway_use statistics_read' },
    { scope: 'everything' },
  ]) {
    expect((await refreshAt(here, first.refresh_token, over)).status).toBe(400)
  }
  expect((await refreshAt(here, first.refresh_token, { scope: 'gateway_use offline_access' })).status).toBe(
    200,
  )
})

test('tokens open what was agreed to, and nothing else', async () => {
  const doors = ['/mcp', '/mcp/c/con_1', '/mcp/c/con_2', '/account']
  const opened = async (resource: string, scope = 'gateway_use') => {
    const reply = await connected({ resource: `${origin}${resource}`, scope })
    const kinds = await Promise.all(
      doors.map((door) => here.access.check(reply.access_token, { ...gateway, resource: door, needs: [] })),
    )
    return doors.filter((_, at) => kinds[at]?.kind === 'allowed')
  }
  for (const whole of ['', '/', '/mcp', '/mcp/account', '/sse']) {
    expect(await opened(whole)).toEqual(['/mcp', '/mcp/c/con_1', '/mcp/c/con_2'])
  }
  expect(await opened('/mcp/c/con_1')).toEqual(['/mcp/c/con_1'])
  expect(await opened('/account', 'statistics_read')).toEqual(['/account'])
  const narrow = await connected({ resource: `${origin}/account`, scope: '' })
  expect(narrow.scope).toBe('statistics_read')
  expect(
    (
      await here.access.check(narrow.access_token, {
        ...gateway,
        resource: '/account',
        needs: ['gateway_use'],
      })
    ).kind,
  ).toBe('scope_missing')
})

test('a grant ends at both processes before the call that ends it returns; of others nothing ends', async () => {
  for (const by of ['client', 'owner'] as const) {
    const reply = await connected({}, anna)
    expect([await opensAt(here, reply), await opensAt(there, reply)]).toEqual(['allowed', 'allowed'])
    const [newest] = await here.access.list(anna.accountId)
    const id = newest?.id ?? ''
    expect(await there.access.end({ accountId: 'acc_other', id, why: 'owner' }, anna)).toMatchObject({
      count: 0,
    })
    await here.form('/oauth/revoke', {
      token: reply.access_token,
      client_id: (await here.register(['https://other.example/back'])).client_id,
    })
    expect(await opensAt(there, reply)).toBe('allowed')
    if (by === 'client') {
      expect(
        (await here.form('/oauth/revoke', { token: reply.refresh_token, client_id: clientId })).status,
      ).toBe(200)
    } else {
      expect(await there.access.end({ accountId: anna.accountId, id, why: 'owner' }, anna)).toEqual({
        count: 1,
        propagated: true,
      })
    }
    expect([await opensAt(here, reply), await opensAt(there, reply)]).toEqual(['invalid', 'invalid'])
  }
})

test('a grant goes on without its tokens, until it is over, is ended, or its account is disabled', async () => {
  const grants: string[] = []
  for (const accountId of ['acc_on', 'acc_over', 'acc_ended', 'acc_disabled']) {
    await connected({}, author(accountId))
    for (const { id } of await here.access.list(accountId)) grants.push(id)
  }
  await own.database.run((sql) => sql`DELETE FROM agent_tokens WHERE grant_id = ANY(${grants}::text[])`)
  const areAlive = () => Promise.all(grants.map(there.access.isGrantAlive))
  expect(await areAlive()).toEqual([true, true, true, true])
  await own.database.run(
    (sql) => sql`UPDATE agent_grants SET expires_at = now() WHERE account_id = 'acc_over'`,
  )
  await here.access.end({ accountId: 'acc_ended', id: null, why: 'owner' }, author('acc_ended'))
  await own.database.run(
    (sql) => sql`
      INSERT INTO accounts (id, role, state, created_at) VALUES ('acc_disabled', 'account', 'disabled', now())`,
  )
  expect(await areAlive()).toEqual([true, false, false, false])
})

test('any grant may have ended after an outage, also one whose tokens nobody has shown since', async () => {
  const told: (string | null)[] = []
  const stop = here.access.onChange((grantId) => void told.push(grantId))
  await here.readAgain()
  stop()
  expect(told).toEqual([null])
})

/** The database, with the number of times that it was asked. */
function counted(database: Database) {
  const asked = { times: 0 }
  const run: Database['run'] = (work, deadlineMs) => {
    asked.times += 1
    return database.run(work, deadlineMs)
  }
  return { database: Object.create(database, { run: { value: run } }) as Database, asked }
}

test('of unknown, expired and revoked tokens, and of those of another form, nobody can tell which is which by the time', async () => {
  const { database, asked } = counted(own.database)
  const node = await agentNode(database)
  const [expired, revoked] = [await connected({}, author('acc_late')), await connected({}, author('acc_out'))]
  await own.database.run(
    (sql) => sql`
      UPDATE agent_tokens SET expires_at = now() - interval '1 second'
      WHERE grant_id IN (SELECT id FROM agent_grants WHERE account_id = 'acc_late')`,
  )
  await here.access.end({ accountId: 'acc_out', id: null, why: 'owner' }, author('acc_out'))
  const lookUps = async (token: string) => {
    asked.times = 0
    const { kind } = await node.access.check(token, gateway)
    return { kind, lookUps: asked.times }
  }
  const unknown = createTokenValues(hashKey).mint(accessPrefix)
  for (const token of [unknown, expired.access_token, revoked.access_token])
    expect(await lookUps(token)).toEqual({ kind: 'invalid', lookUps: 1 })
  expect(await lookUps(`${unknown}x`)).toEqual({ kind: 'invalid', lookUps: 0 })
  await node.stop()
})

test('no code or token can be read in the database', async () => {
  const form = await codeForm(here, clientId)
  const reply = await here.token(form)
  const next = await refreshAt(here, reply.refresh_token)
  for (const table of ['agent_clients', 'agent_grants', 'agent_codes', 'agent_tokens', 'audit_events']) {
    const rows = JSON.stringify(await own.database.run((sql) => sql`SELECT * FROM ${sql(table)}`))
    for (const secret of [
      form.code,
      form.code_verifier,
      reply.access_token,
      reply.refresh_token,
      next.refresh_token,
    ]) {
      expect(rows).not.toContain(secret)
    }
  }
})

test('what is over is removed, and what is alive stays', async () => {
  const reply = await connected({}, anna)
  await consent(here, queryOf(clientId), anna)
  await own.database.run((sql) => sql`UPDATE agent_grants SET created_at = now() - interval '2 hours'`)
  const before = (await here.access.list(anna.accountId)).length
  await here.access.clean()
  expect((await here.access.list(anna.accountId)).length).toBeLessThan(before)
  expect(await opensAt(there, reply)).toBe('allowed')
})

test('a token that was seen is checked without the database', async () => {
  const { database, asked } = counted(own.database)
  const node = await agentNode(database)
  const reply = await connected()
  expect(await opensAt(node, reply)).toBe('allowed')
  asked.times = 0
  for (let round = 0; round < 100; round++) expect(await opensAt(node, reply)).toBe('allowed')
  expect(asked.times).toBe(0)
  await node.stop()
})
