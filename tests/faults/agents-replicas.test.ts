import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import type { AgentGrantView } from '../../shared/agents.ts'
import { type TestDatabase, temporaryDataDir, testDatabase } from '../../scripts/world/database.ts'
import { type TestStore, startStore } from '../../scripts/world/limit-nodes/nodes.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type CodeProgram, codeProgram } from '../support/code-program.ts'
import { createCanaries } from '../support/canaries.ts'
import { dumpOf } from '../support/database-dump.ts'
import { needs } from '../support/needs.ts'

/** Agents at three processes of the real server, which share one PostgreSQL and one Redis. */

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
const canaries = createCanaries()
let store: TestStore
let own: TestDatabase
let replicas: Replicas
let owner: SignedInClient
let program: CodeProgram

beforeAll(async () => {
  if (!hasRedis) return
  store = await startStore(folder)
  own = await testDatabase()
  replicas = await startReplicas({
    count: 3,
    file: { verifiers: { builtIn: false } },
    databaseUrl: own.url,
    redisUrl: store.url,
  })
  owner = await signInAt(urlOf(0))
  program = await codeProgram(urlOf(0), owner)
}, 120_000)

afterAll(async () => {
  await replicas?.remove()
  await store?.kill()
  await own?.drop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const urlOf = (place: number): string => replicas.servers[place]?.url ?? ''
const places = [0, 1, 2]

const postMcp = (url: string, token: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  })

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  },
}

/** A call without a session, which opens none: whoever is let in is told that it lacks one. */
async function isLetInAt(place: number, token: string): Promise<boolean> {
  const answer = await postMcp(urlOf(place), token, { method: 'ping' })
  await answer.body?.cancel()
  expect([400, 401]).toContain(answer.status)
  return answer.status === 400
}

/** A session with a stream that stays open until its server ends it. `ended` resolves to when it did. */
async function openStream(place: number, token: string) {
  const opened = await postMcp(urlOf(place), token, initialize)
  const session = opened.headers.get('mcp-session-id') ?? ''
  await opened.body?.cancel()
  const stream = await fetch(`${urlOf(place)}/mcp`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-06-18',
    },
  })
  expect(stream.status).toBe(200)
  const ended = (async () => {
    for await (const _chunk of stream.body ?? []) {
      // What it says does not matter here.
    }
    return performance.now()
  })().catch(() => performance.now())
  return { session, ended }
}

/** Revokes an agent that calls at all processes. Returns how long it took until the last stream was closed. */
async function revokeWhileItCalls(): Promise<number> {
  const { access_token: token } = await program.connect()
  const streams = await Promise.all(places.map((place) => openStream(place, token)))
  /** When the last call was begun that was let in. */
  const letIn = new Map<number, number>()
  const callers = places.map(async (place) => {
    // Until it is refused for the first time: addresses that show many dead tokens have to wait.
    for (let begunAt = performance.now(); await isLetInAt(place, token); begunAt = performance.now())
      letIn.set(place, begunAt)
  })
  await waitUntil('all have been let in', () => letIn.size === places.length)
  const [grant] = (await owner.query('agents.list')).data as AgentGrantView[]
  const revokedAt = performance.now()
  const { data } = await owner.mutate('agents.revoke', { id: grant?.id })
  const returnedAt = performance.now()
  expect(data).toEqual({ propagated: true })
  expect(await Promise.all(places.map((place) => isLetInAt(place, token)))).toEqual([false, false, false])
  await Promise.all(callers)
  for (const begunAt of letIn.values()) expect(begunAt).toBeLessThan(returnedAt)
  return Math.max(...(await Promise.all(streams.map(({ ended }) => ended)))) - revokedAt
}

describe.skipIf(!hasRedis)('agents at three processes', () => {
  test('revoked at one, refused at all and their streams closed within a second, while they call', async () => {
    // The quickest of three: the machine may be busy with something else.
    const took: number[] = []
    for (let times = 0; times < 3; times++) took.push(await revokeWhileItCalls())
    expect(Math.min(...took)).toBeLessThan(1_000)
  }, 60_000)

  test('whose account changes keeps its sessions, although the token that opened them is over', async () => {
    const first = await program.connect()
    const streams = await Promise.all(places.map((place) => openStream(place, first.access_token)))
    await own.database.sql`UPDATE agent_tokens SET expires_at = now() WHERE kind = 'access'`
    const { access_token: token } = await program.refresh(first.refresh_token)
    const { accounts } = replicas.servers[0]?.operator ?? {}
    await accounts?.setPlan.mutate({ account: owner.accountId, plan: null })
    // By the time that an agent is out which is revoked after that, all have been asked for.
    await revokeWhileItCalls()
    const answers = streams.map(async ({ session }, place) => {
      const answer = await postMcp(urlOf(place), token, { method: 'ping' }, { 'mcp-session-id': session })
      await answer.body?.cancel()
      return answer.status
    })
    expect(await Promise.all(answers)).toEqual([200, 200, 200])

    const grants = (await owner.query('agents.list')).data as AgentGrantView[]
    for (const { id } of grants) await owner.mutate('agents.revoke', { id })
    await Promise.all(streams.map(({ ended }) => ended))
  }, 60_000)

  test('a process that is killed between the use of a token and the issue of the next has used nothing up', async () => {
    const first = await program.connect()
    await own.database.sql.unsafe(`
      CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(4242); RETURN NEW; END $$;
      CREATE TRIGGER wait_here BEFORE INSERT ON agent_tokens FOR EACH ROW EXECUTE FUNCTION wait_here()`)
    const lost = await own.database.transaction(async (sql) => {
      await sql`SELECT pg_advisory_xact_lock(4242)`
      const answer = program.refresh(first.refresh_token, urlOf(1)).catch(() => null)
      await waitUntil('the process waits with the token used', async () => {
        const [row] = await own.database.sql<{ waits: boolean }[]>`
          SELECT EXISTS (
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4242 AND NOT granted) AS waits`
        return row?.waits === true
      })
      await replicas.servers[1]?.kill9()
      return answer
    }, 20_000)
    expect(lost).toBeNull()
    await own.database.sql.unsafe('DROP TRIGGER wait_here ON agent_tokens; DROP FUNCTION wait_here()')

    const next = await program.refresh(first.refresh_token, urlOf(0))
    expect(next.status).toBe(200)
    expect(await isLetInAt(2, next.access_token)).toBe(true)
    const [row] = await own.database.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM agent_tokens
      WHERE kind = 'refresh' AND used_at IS NULL AND grant_id = (
        SELECT id FROM agent_grants ORDER BY created_at DESC LIMIT 1)`
    expect(row?.count).toBe(1)
    await replicas.restart(1)
    const again = await program.refresh(first.refresh_token, urlOf(1))
    expect([again.status, again.refresh_token]).toEqual([200, next.refresh_token])
  }, 60_000)

  test('no code, verifier or token stands in any table or log', async () => {
    const { access_token: access, refresh_token: refresh, code, verifier } = await program.connect()
    const next = await program.refresh(refresh, urlOf(2))
    const secrets = { code, verifier, access, refresh, next: next.access_token, last: next.refresh_token }
    for (const [kind, secret] of Object.entries(secrets)) canaries.adopt(kind, secret.slice(4))
    const { tables, content } = await dumpOf(own.url)
    expect(tables).toContain('public.agent_tokens')
    expect(canaries.findIn(content)).toEqual([])
    for (const server of replicas.servers) expect(canaries.findIn(server.output())).toEqual([])
  })
})
