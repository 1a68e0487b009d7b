import { beforeAll, describe, expect, test } from 'bun:test'

import { ConnectionView, connectionBounds } from '../../shared/connections.ts'
import { type CallContext, commandLineContext } from '../trpc/init.ts'
import { connectionProcedures } from './procedures.ts'
import {
  anonymous,
  testAuthor,
  inBag,
  link,
  nothingOffered,
  toConnection,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import type { ToolServer } from './test-support/tool-server.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { covers } from '../../tests/support/covers.ts'

const value = 'canary-secret-0123456789'
const closed = { serviceId: 'mcpservers:closed', authType: 'api_key', credentialKey: 'closed' } as const

const subject = sharedConnections()
let server: ToolServer

beforeAll(async () => {
  server = await subject.startServer({ wants: { header: 'authorization', value: `Bearer ${value}` } })
})

const anna = { accountId: 'acc_anna', sessionId: 'session-of-anna' }
const echo = { name: 'echo', arguments: { message: 'hi' } }
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )

test('create, connect, list, call', async () => {
  covers('sequence-saved', 'connection-create', 'connection-kind-saved')
  const { connections, registry } = subject
  const service = registry.put({ ...closed, url: server.url })
  const created = await connections.create(testAuthor('acc_anna'), {
    service,
    secret: value,
    headerName: null,
    label: 'production',
  })
  expect(ConnectionView.parse(created)).toEqual(created)
  expect(created).toMatchObject({
    kind: 'saved',
    serviceId: closed.serviceId,
    chain: 'ethereum',
    endpoint: server.url,
    authType: 'api_key',
    authSource: 'saved_connection',
    status: 'new',
    label: 'production',
    lastUsedAt: null,
  })
  const target = toConnection(created.id)
  expect(await connections.connect(anna, target, nothingOffered, link())).toMatchObject({
    outcome: 'connected',
    connection: { id: created.id, status: 'connected', lastUsedAt: expect.any(Number) },
  })
  expect((await connections.listTools(anna, target, nothingOffered, link())).outcome).toBe('listed')
  expect((await connections.callTool(anna, target, echo, nothingOffered, link())).outcome).toBe('answered')
})

test('who is told that the secret was refused finds the connection so from then on', async () => {
  const { connections, registry, database } = subject
  const service = registry.put({ ...closed, url: server.url })
  const author = testAuthor('acc_fay')
  const fay = { accountId: 'acc_fay', sessionId: 's' }
  const { id } = await connections.create(author, { service, secret: 'wrong', headerName: null, label: null })
  const isHeld = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = database.transaction(async (sql) => {
    await sql`SELECT FROM connections WHERE id = ${id} FOR UPDATE`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  let isTold = false
  const refused = connections.connect(fay, toConnection(id), nothingOffered, link()).then((result) => {
    isTold = true
    return result
  })
  await waitUntil('the status waits to be written', async () => {
    const waiting = await database.run(
      (sql) => sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return waiting.length > 0
  })
  expect(isTold).toBe(false)
  release.resolve()
  await holding
  expect((await refused).outcome).toBe('auth_required')
  expect(await connections.list(fay, [])).toMatchObject([{ id, status: 'auth_required' }])
})

test('a label is set and cleared; what is deleted is gone', async () => {
  covers('connection-relabel', 'connection-delete')
  const { connections, registry, events } = subject
  const service = registry.put({ ...closed, url: server.url })
  const author = testAuthor('acc_carol')
  const carol = { accountId: 'acc_carol', sessionId: 's' }
  const { id } = await connections.create(author, { service, secret: value, headerName: null, label: null })
  expect((await connections.updateLabel(author, id, 'renamed')).label).toBe('renamed')
  expect((await connections.updateLabel(author, id, null)).label).toBeNull()
  await connections.connect(carol, toConnection(id), nothingOffered, link())
  const openBefore = connections.counts().open
  await connections.delete(author, id)
  expect(connections.counts().open).toBe(openBefore - 1)
  expect(await connections.get(carol, id)).toBeNull()
  expect(await connections.callTool(carol, toConnection(id), echo, nothingOffered, link())).toEqual({
    outcome: 'unknown_connection',
  })
  expect(await refusalOf(connections.delete(author, id))).toBe('not_found')
  expect(events.filter(({ subject: { id: about } }) => about === id)).toMatchObject([
    { action: 'connection.create', actor: { id: 'acc_carol' }, ip: '192.0.2.1', after: { label: null } },
    { action: 'connection.update', before: { label: null }, after: { label: 'renamed' } },
    { action: 'connection.update', before: { label: 'renamed' }, after: { label: null } },
    { action: 'connection.delete', before: { serviceId: closed.serviceId } },
  ])
})

test('all three kinds are listed', async () => {
  covers('operation-list-connections', 'operation-list-connections-public')
  const { connections, registry } = subject
  const open = registry.put({ serviceId: 'mcpservers:open', url: 'http://127.0.0.1:9/mcp' })
  const service = registry.put({ ...closed, url: server.url })
  const dora = { accountId: 'acc_dora', sessionId: 'session-of-dora' }
  const saved = await connections.create(testAuthor('acc_dora'), {
    service,
    secret: value,
    headerName: null,
    label: null,
  })
  await connections.connect(dora, toService(service), inBag('closed', value), link())
  const listed = await connections.list(dora, [open])
  expect(listed.map(({ id, kind, authSource }) => [id, kind, authSource])).toEqual([
    [saved.id, 'saved', 'saved_connection'],
    ['agent::mcpservers:closed', 'session', 'session_bag'],
    ['public::ethereum::mcpservers:open', 'public', 'none'],
  ])
  expect((await connections.list(anonymous('session-of-dora'), [])).length).toBe(0)
})

test('a public connection is used without being made', async () => {
  covers('connection-kind-virtual-public')
  const open = await subject.startServer()
  const { connections, registry } = subject
  registry.put({ serviceId: 'mcpservers:docs', url: open.url })
  const target = toConnection('public::ethereum::mcpservers:docs')
  const outcome = await connections.callTool(anonymous('nobody'), target, echo, nothingOffered, link())
  expect(outcome).toMatchObject({
    outcome: 'answered',
    connectionId: target.connectionId,
    authSource: 'none',
  })
  for (const id of [
    'public::ethereum::mcpservers:closed',
    'public::base::mcpservers:docs',
    'public::x',
    'con_1',
  ]) {
    const unknown = await connections.callTool(anna, toConnection(id), echo, nothingOffered, link())
    expect(unknown).toEqual({ outcome: 'unknown_connection' })
  }
})

test('an account has a bounded number of saved connections', async () => {
  const { connections, registry } = subject
  const service = registry.put({ ...closed, url: server.url })
  const one = () =>
    connections.create(testAuthor('acc_many'), { service, secret: value, headerName: null, label: null })
  for (let count = 0; count < connectionBounds.savedConnections; count += 20) {
    await Promise.all(Array.from({ length: 20 }, one))
  }
  expect(await refusalOf(one())).toBe('conflict')
})

const nobody: CallContext = { ...commandLineContext('request-1'), isOperator: false }
const signedIn = (id: string, isOperator = false): CallContext => ({
  ...nobody,
  isOperator,
  account: { id, role: isOperator ? 'operator' : 'account', isApproved: true, label: id },
  session: { id: 'ses_1', isFresh: false, freshUntil: 0 },
})
const as = (context: CallContext) =>
  connectionProcedures(subject.connections, {
    find: (serviceId, chain) => {
      const isKnown = serviceId === closed.serviceId && (chain === null || chain === 'ethereum')
      return isKnown ? subject.registry.put({ ...closed, url: server.url }) : null
    },
  }).createCaller(context)

describe('procedures', () => {
  test('an owner creates, relabels and deletes; nobody else sees it', async () => {
    covers('connection-v1-flow')
    const erin = as(signedIn('acc_erin'))
    const { id } = await erin.create({ serviceId: closed.serviceId, secret: `  ${value} `, label: 'mine' })
    const [listed] = await erin.list()
    expect(listed).toMatchObject({ id, label: 'mine' })
    expect(JSON.stringify(listed)).not.toContain('canary')
    for (const other of [signedIn('acc_frank'), signedIn('acc_operator', true)]) {
      expect(await as(other).list()).toEqual([])
      expect(await refusalOf(as(other).delete({ id }))).toBe('NOT_FOUND')
      expect(await refusalOf(as(other).acceptTools({ id, fingerprint: '0'.repeat(64) }))).toBe('NOT_FOUND')
    }
    expect(await refusalOf(as(nobody).list())).toBe('UNAUTHORIZED')
    expect((await erin.updateLabel({ id, label: null })).label).toBeNull()
    await erin.delete({ id })
    expect(await erin.list()).toEqual([])
  })

  test.each([
    [{ serviceId: 'mcpservers:unknown' }, 'NOT_FOUND'],
    [{ chain: 'base' }, 'NOT_FOUND'],
    [{ secret: '' }, 'UNPROCESSABLE_CONTENT'],
    [{ secret: 'a\r\nx-injected: 1' }, 'UNPROCESSABLE_CONTENT'],
    [{ secret: 'x'.repeat(9_000) }, 'UNPROCESSABLE_CONTENT'],
    [{ headerName: 'cookie' }, 'UNPROCESSABLE_CONTENT'],
    [{ headerName: 'Mcp-Session-Id' }, 'UNPROCESSABLE_CONTENT'],
    [{ headerName: 'x y' }, 'UNPROCESSABLE_CONTENT'],
    [{ label: 'a\u202Eb' }, 'UNPROCESSABLE_CONTENT'],
    [{ kind: 'oauth' }, 'UNPROCESSABLE_CONTENT'],
  ])('refuses what is wrong, case %#', async (wrong, code) => {
    const form = { serviceId: closed.serviceId, secret: value, ...wrong }
    expect(await refusalOf(as(signedIn('acc_erin')).create(form))).toBe(code)
  })
})
