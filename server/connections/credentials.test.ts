import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import {
  anonymous,
  testAuthor,
  inBag,
  link,
  nothingOffered,
  passedRequest,
  toConnection,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import type { ToolServer } from './test-support/tool-server.ts'
import { covers } from '../../tests/support/covers.ts'

const subject = sharedConnections({ vaultKey: randomBytes(32) })
let recording: ToolServer

beforeAll(async () => {
  recording = await subject.startServer({ era: 'legacy' })
})

beforeEach(() => recording.forgetRequests())

const secretOf = (name: string) => `canary-${name}-0123456789`
const echo = { name: 'echo', arguments: { message: 'hi' } }
const acme = {
  serviceId: 'mcpservers:acme',
  authType: 'api_key',
  provider: 'acme',
  credentialKey: 'acme',
} as const

/** What credentials the recording server was sent. */
const sentCredentials = () => new Set(recording.requests.map(({ headers }) => headers.authorization ?? null))

test('saved connection, bag, header, token, none; the answer names the source', async () => {
  covers('credentials-precedence')
  const { connections, registry } = subject
  const service = registry.put({ ...acme, url: recording.url })
  const scope = { accountId: 'acc_anna', sessionId: 's1' }
  const bag = new Map([['acme', secretOf('bag')]])
  const headers = new Map([['acme', secretOf('header')]])
  const tokens = new Map([['acme', secretOf('token')]])
  const none = new Map<string, string>()
  const sourceWith = async (
    offered: Parameters<typeof connections.callTool>[3],
    target = toService(service),
  ) => {
    recording.forgetRequests()
    const outcome = await connections.callTool(scope, target, echo, offered, link())
    return [outcome.outcome === 'answered' ? outcome.authSource : outcome, ...sentCredentials()]
  }
  expect(await sourceWith({ bag, headers, tokens })).toEqual(['session_bag', `Bearer ${secretOf('bag')}`])
  expect(await sourceWith({ bag: none, headers, tokens })).toEqual([
    'request_header',
    `Bearer ${secretOf('header')}`,
  ])
  expect(await sourceWith({ bag: none, headers: none, tokens })).toEqual([
    'bound_token',
    `Bearer ${secretOf('token')}`,
  ])
  expect(await sourceWith(nothingOffered)).toEqual([
    { outcome: 'auth_required', serviceId: acme.serviceId, credentialKey: 'acme', authSource: 'none' },
  ])
  const saved = await connections.create(testAuthor('acc_anna'), {
    service,
    secret: secretOf('saved'),
    headerName: null,
    label: null,
  })
  recording.forgetRequests()
  const outcome = await connections.callTool(
    scope,
    toConnection(saved.id),
    echo,
    { bag, headers, tokens },
    link(),
  )
  expect(outcome).toMatchObject({ outcome: 'answered', authSource: 'saved_connection' })
  expect([...sentCredentials()]).toEqual([`Bearer ${secretOf('saved')}`])
})

test('a downstream sees these headers and no others', async () => {
  covers('threat-43')
  const { connections, registry } = subject
  const service = registry.put({ ...acme, url: recording.url })
  const offered = {
    bag: new Map([
      ['acme', secretOf('bag')],
      ['other', secretOf('of-another-provider')],
    ]),
    headers: new Map([['third', secretOf('third')]]),
    tokens: new Map([['fourth', secretOf('fourth')]]),
  }
  const meta = { traceparent: '00-1-2-01', 'x-private': 'not handed on' }
  await connections.callTool(anonymous('headers'), toService(service), echo, offered, link({ meta }))
  const call = recording.requests.find(({ body }) => body.includes('tools/call'))
  expect(Object.keys(call?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
    'mcp-protocol-version',
    'mcp-session-id',
    'user-agent',
  ])
  const everything = JSON.stringify(recording.requests)
  expect(everything).toContain(secretOf('bag'))
  expect(everything).not.toMatch(/another-provider|third|fourth|x-private|x-gatehouse/)
  expect(everything).toContain('00-1-2-01')
})

test('a server that wants no credentials gets none, whatever is offered', async () => {
  const { connections, registry } = subject
  const service = registry.put({ serviceId: 'mcpservers:open', url: recording.url, credentialKey: 'acme' })
  await connections.callTool(
    anonymous('open'),
    toService(service),
    echo,
    inBag('acme', secretOf('bag')),
    link(),
  )
  expect([...sentCredentials()]).toEqual([null])
})

test('a secret of another scheme, or in another header, is sent as it was saved', async () => {
  const server = await subject.startServer({ wants: { header: 'x-api-key', value: secretOf('in-header') } })
  const { connections, registry } = subject
  const service = registry.put({ ...acme, serviceId: 'mcpservers:header', url: server.url })
  const { id } = await connections.create(testAuthor('acc_anna'), {
    service,
    secret: secretOf('in-header'),
    headerName: 'x-api-key',
    label: 'mine',
  })
  const scope = { accountId: 'acc_anna', sessionId: 's1' }
  expect(await connections.connect(scope, toConnection(id), nothingOffered, link())).toMatchObject({
    outcome: 'connected',
    connection: { id, kind: 'saved', headerName: 'x-api-key', label: 'mine', status: 'connected' },
  })
  expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true)
})

test('two principals with the same agent:: id and other credentials each see their own', async () => {
  covers('threat-39')
  const forAnna = await subject.startServer({
    wants: { header: 'authorization', value: `Bearer ${secretOf('anna')}` },
  })
  const { connections, registry } = subject
  const service = registry.put({ ...acme, serviceId: 'mcpservers:shared', url: forAnna.url })
  const anna = anonymous('session-of-anna')
  const bob = anonymous('session-of-bob')
  const id = 'agent::mcpservers:shared'

  const unknown = await connections.callTool(
    bob,
    toConnection(id),
    echo,
    inBag('acme', secretOf('anna')),
    link(),
  )
  expect(unknown).toEqual({ outcome: 'unknown_connection' })

  const connected = await connections.connect(
    anna,
    toService(service),
    inBag('acme', secretOf('anna')),
    link(),
  )
  expect(connected).toMatchObject({ outcome: 'connected', connection: { id } })
  const refused = await connections.connect(bob, toService(service), inBag('acme', secretOf('bob')), link())
  expect(refused).toMatchObject({ outcome: 'auth_required', authSource: 'session_bag' })
  const ofBob = await connections.callTool(
    bob,
    toConnection(id),
    echo,
    inBag('acme', secretOf('bob')),
    link(),
  )
  expect(ofBob).toMatchObject({ outcome: 'auth_required' })
  const ofAnna = await connections.callTool(
    anna,
    toConnection(id),
    echo,
    inBag('acme', secretOf('anna')),
    link(),
  )
  expect(ofAnna).toMatchObject({ outcome: 'answered' })

  connections.endSession(anna.sessionId)
  const after = await connections.callTool(
    anna,
    toConnection(id),
    echo,
    inBag('acme', secretOf('anna')),
    link(),
  )
  expect(after).toEqual({ outcome: 'unknown_connection' })
})

test('a saved connection of another account is as if it did not exist', async () => {
  covers('connections-owner-scoped', 'threat-38')
  const { connections, registry } = subject
  const service = registry.put({ ...acme, url: recording.url })
  const { id } = await connections.create(testAuthor('acc_anna'), {
    service,
    secret: secretOf('owned'),
    headerName: null,
    label: null,
  })
  const anna = { accountId: 'acc_anna', sessionId: 's' }
  expect((await connections.callTool(anna, toConnection(id), echo, nothingOffered, link())).outcome).toBe(
    'answered',
  )
  for (const scope of [{ accountId: 'acc_bob', sessionId: 's' }, anonymous('s')]) {
    const target = toConnection(id)
    const unknown = { outcome: 'unknown_connection' } as const
    expect(await connections.connect(scope, target, nothingOffered, link())).toEqual(unknown)
    expect(await connections.listTools(scope, target, nothingOffered, link())).toEqual(unknown)
    expect(await connections.callTool(scope, target, echo, nothingOffered, link())).toEqual(unknown)
    expect(await connections.get(scope, id)).toBeNull()
    const passed = await connections.passThrough(
      scope,
      id,
      nothingOffered,
      await passedRequest(new Request('http://localhost/')),
    )
    expect(passed.status).toBe(404)
  }
  const bob = testAuthor('acc_bob')
  for (const attempt of [
    () => connections.updateLabel(bob, id, 'taken'),
    () => connections.delete(bob, id),
    () => connections.acceptTools(bob, id, '0'.repeat(64)),
  ]) {
    expect(await attempt().catch((error: { code?: string }) => error.code)).toBe('not_found')
  }
  expect(await connections.get(anna, id)).toMatchObject({ id, label: null })
})

test('a secret goes nowhere when the registry names another origin or provider', async () => {
  covers('threat-44')
  const thief = await subject.startServer()
  const { connections, registry } = subject
  const service = registry.put({ ...acme, serviceId: 'mcpservers:moved', url: recording.url })
  const scope = { accountId: 'acc_anna', sessionId: 'moved' }
  const { id } = await connections.create(testAuthor('acc_anna'), {
    service,
    secret: secretOf('moved'),
    headerName: null,
    label: null,
  })
  await connections.connect(scope, toConnection(id), nothingOffered, link())
  await connections.connect(scope, toService(service), inBag('acme', secretOf('moved')), link())

  registry.put({ ...service, url: thief.url })
  const changed = { outcome: 'origin_changed', serviceId: 'mcpservers:moved' } as const
  expect(await connections.connect(scope, toConnection(id), nothingOffered, link())).toEqual(changed)
  const session = toConnection('agent::mcpservers:moved')
  expect(await connections.callTool(scope, session, echo, inBag('acme', secretOf('moved')), link())).toEqual(
    changed,
  )
  expect(await connections.get(scope, id)).toMatchObject({
    status: 'origin_changed',
    endpoint: recording.url,
  })
  expect(thief.requests).toEqual([])

  registry.put({ ...service, provider: 'somebody else' })
  expect((await connections.connect(scope, toConnection(id), nothingOffered, link())).outcome).toBe(
    'origin_changed',
  )
  registry.remove('mcpservers:moved')
  expect((await connections.connect(scope, toConnection(id), nothingOffered, link())).outcome).toBe(
    'service_gone',
  )
  expect(await connections.get(scope, id)).toMatchObject({ status: 'service_gone' })
})

test('a saved connection outlives the process; in the database its secret is sealed', async () => {
  covers('threat-1')
  const { connections, registry } = subject
  const service = registry.put({ ...acme, serviceId: 'mcpservers:kept', url: recording.url })
  const { id } = await connections.create(testAuthor('acc_anna'), {
    service,
    secret: secretOf('kept'),
    headerName: null,
    label: null,
  })
  const rows = await subject.database.sql`SELECT row_to_json(connections)::text AS text FROM connections`
  expect(JSON.stringify(rows)).not.toContain('canary')
  const restarted = subject.opened(subject.another())
  restarted.registry.put(service)
  const scope = { accountId: 'acc_anna', sessionId: 'new' }
  recording.forgetRequests()
  const outcome = await restarted.connections.callTool(scope, toConnection(id), echo, nothingOffered, link())
  expect(outcome.outcome).toBe('answered')
  expect([...sentCredentials()]).toEqual([`Bearer ${secretOf('kept')}`])
})

test('no secret stands in a log line, an audit event or a view', () => {
  expect(subject.logged.join('\n')).not.toContain('canary')
  expect(JSON.stringify(subject.events)).not.toContain('canary')
})
