import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { ConnectionView } from '../../shared/connections.ts'
import {
  anonymous,
  link,
  nothingOffered,
  testAuthor,
  toConnection,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import type { ToolServer } from './test-support/tool-server.ts'
import { covers } from '../../tests/support/covers.ts'

const subject = sharedConnections()
const serverOf = (era: 'modern' | 'legacy'): Promise<ToolServer> => subject.startServer({ era })

describe.each(['modern', 'legacy'] as const)('a public tool server of the %s era', (era) => {
  test('connect, list and call', async () => {
    covers('sequence-public', 'operation-connect-mcp-service')
    const { connections, registry } = subject
    const server = await serverOf(era)
    const service = registry.put({ serviceId: `mcpservers:${era}`, url: server.url })
    const scope = anonymous(`session-${era}`)

    const connected = await connections.connect(scope, toService(service), nothingOffered, link())
    expect(connected).toMatchObject({
      outcome: 'connected',
      connection: {
        id: `agent::mcpservers:${era}`,
        kind: 'session',
        authSource: 'none',
        status: 'connected',
      },
      server: { name: 'fixture', version: '3.2.1' },
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
      instructions: { text: 'Be kind', findings: [], warnings: [] },
    })
    if (connected.outcome !== 'connected') return
    expect(ConnectionView.parse(connected.connection)).toEqual(connected.connection)

    const target = toConnection(connected.connection.id)
    const listed = await connections.listTools(scope, target, nothingOffered, link())
    if (listed.outcome !== 'listed') throw new Error(listed.outcome)
    const echo = listed.tools.find(({ definition }) => definition.name === 'echo')
    expect(echo).toMatchObject({
      definition: {
        description: 'Says again what it is told',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
      },
      changed: false,
      warnings: [],
    })

    const call = { name: 'echo', arguments: { message: 'hi' } }
    expect(await connections.callTool(scope, target, call, nothingOffered, link())).toMatchObject({
      outcome: 'answered',
      connectionId: `agent::mcpservers:${era}`,
      authSource: 'none',
      changed: false,
      result: { content: [{ type: 'text', text: 'hi' }], _meta: { 'fixture/kept': [1, 2] } },
    })
    const structured = await connections.callTool(
      scope,
      target,
      { name: 'structured' },
      nothingOffered,
      link(),
    )
    expect(structured).toMatchObject({ result: { structuredContent: { height: 7 } } })
    const failed = await connections.callTool(scope, target, { name: 'fail' }, nothingOffered, link())
    expect(failed).toMatchObject({ outcome: 'answered', result: { isError: true } })
  })

  test('progress arrives in order', async () => {
    const { connections, registry } = subject
    const server = await serverOf(era)
    const service = registry.put({ serviceId: `mcpservers:count-${era}`, url: server.url })
    const steps: unknown[] = []
    const outcome = await connections.callTool(
      anonymous('s'),
      toService(service),
      { name: 'count', arguments: { steps: 3 } },
      nothingOffered,
      link({ onProgress: ({ progress, total, message }) => steps.push([progress, total, message]) }),
    )
    expect(outcome).toMatchObject({ outcome: 'answered' })
    expect(steps).toEqual([
      [1, 3, 'step 1'],
      [2, 3, 'step 2'],
      [3, 3, 'step 3'],
    ])
  })

  test('a caller who gives up ends the call at the tool server, too', async () => {
    const { connections, registry } = subject
    const server = await serverOf(era)
    const service = registry.put({ serviceId: `mcpservers:hang-${era}`, url: server.url })
    const controller = new AbortController()
    const calling = connections.callTool(
      anonymous('s'),
      toService(service),
      { name: 'hang' },
      nothingOffered,
      link({ signal: controller.signal }),
    )
    await waitUntil('the tool is called', () => server.called.includes('hang'), 4_000)
    controller.abort()
    expect(await calling).toEqual({ outcome: 'cancelled' })
    await waitUntil('the tool server hears of it', () => server.aborted.includes('hang'), 4_000)
    expect(connections.counts().underWay).toBe(0)
  })

  test('an unknown tool is the tool server’s refusal or error, not ours', async () => {
    const { connections, registry } = subject
    const server = await serverOf(era)
    const service = registry.put({ serviceId: `mcpservers:no-${era}`, url: server.url })
    const outcome = await connections.callTool(
      anonymous('s'),
      toService(service),
      { name: 'no-such-tool' },
      nothingOffered,
      link(),
    )
    expect(outcome).toMatchObject({ outcome: 'refused', error: { code: -32_602 } })
  })
})

test('a 2026 downstream asks its caller, and gets the answer with its own state', async () => {
  const { connections, registry } = subject
  const server = await serverOf('modern')
  const target = toService(registry.put({ serviceId: 'mcpservers:ask', url: server.url }))
  const capable = { clientCapabilities: { elicitation: { form: {} } } }
  const first = await connections.callTool(
    anonymous('s'),
    target,
    { name: 'ask' },
    nothingOffered,
    link(capable),
  )
  expect(first).toMatchObject({
    outcome: 'input_required',
    result: {
      resultType: 'input_required',
      requestState: 'state-of-the-downstream',
      inputRequests: { name: { method: 'elicitation/create', params: { message: 'Your name?' } } },
    },
  })
  const second = await connections.callTool(
    anonymous('s'),
    target,
    { name: 'ask' },
    nothingOffered,
    link({
      ...capable,
      requestState: 'state-of-the-downstream',
      inputResponses: { name: { action: 'accept', content: { name: 'Anna' } } },
    }),
  )
  expect(JSON.stringify(second)).toContain('Anna')
  expect(JSON.stringify(second)).toContain('state-of-the-downstream')
})

test('a downstream that lost its session is asked once more, in a new one', async () => {
  const { connections, registry } = subject
  const server = await serverOf('legacy')
  const target = toService(registry.put({ serviceId: 'mcpservers:restart', url: server.url }))
  const call = () =>
    connections.callTool(
      anonymous('s'),
      target,
      { name: 'echo', arguments: { message: 'again' } },
      nothingOffered,
      link(),
    )
  expect(await call()).toMatchObject({ outcome: 'answered' })
  server.forgetSessions()
  expect(await call()).toMatchObject({ outcome: 'answered', result: { content: [{ text: 'again' }] } })
  expect(server.called).toEqual(['echo', 'echo'])
})

test('the session at a tool server is ended with its connection, once and with its credential', async () => {
  const { connections, registry } = subject
  const wants = { header: 'x-key', value: 'canary-secret-0123456789' }
  const server = await subject.startServer({ era: 'legacy', wants })
  const keyed = { authType: 'api_key', credentialKey: 'it' } as const
  const service = registry.put({ serviceId: 'mcpservers:left', url: server.url, ...keyed })
  const author = testAuthor('acc_leaving')
  const form = { service, secret: wants.value, headerName: wants.header, label: null }
  const { id } = await connections.create(author, form)
  const scope = { accountId: 'acc_leaving', sessionId: 's' }
  expect(await connections.connect(scope, toConnection(id), nothingOffered, link())).toMatchObject({
    outcome: 'connected',
  })
  const session = server.requests.at(-1)?.headers['mcp-session-id'] ?? 'none'
  const deletions = () => server.requests.filter(({ method }) => method === 'DELETE')
  expect(deletions()).toEqual([])
  await connections.delete(author, id)
  await waitUntil('it is told', () => deletions().length > 0)
  expect(deletions().map(({ headers }) => headers)).toEqual([
    expect.objectContaining({
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
      [wants.header]: wants.value,
    }),
  ])
})

test('a session that the tool server has forgotten is not ended there', async () => {
  const { connections, registry } = subject
  const server = await serverOf('legacy')
  const target = toService(registry.put({ serviceId: 'mcpservers:forgot', url: server.url }))
  const scope = anonymous('session-forgot')
  const sessionsOf = (asked: string) =>
    server.requests.flatMap(({ method, headers }) => (method === asked ? [headers['mcp-session-id']] : []))
  await connections.connect(scope, target, nothingOffered, link())
  const first = sessionsOf('POST').at(-1)
  server.forgetSessions()
  await connections.callTool(scope, target, { name: 'echo' }, nothingOffered, link())
  const second = sessionsOf('POST').at(-1)
  expect(second).not.toBe(first)
  connections.endSession(scope.sessionId)
  await waitUntil('one is ended', () => sessionsOf('DELETE').length > 0)
  expect(sessionsOf('DELETE')).toEqual([second])
})
