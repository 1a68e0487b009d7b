import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'bun:test'

import { type EverythingServer, startEverything } from '../../scripts/world/everything.ts'
import {
  anonymous,
  link,
  nothingOffered,
  passedRequest,
  testAuthor,
  toConnection,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import { covers } from '../../tests/support/covers.ts'

const subject = sharedConnections({ vaultKey: Buffer.alloc(32, 7) })
const running = new Map<string, EverythingServer>()

beforeAll(async () => {
  for (const transport of ['http', 'sse'] as const) {
    running.set(transport, subject.opened(await startEverything(transport)))
  }
}, 60_000)

const urlOf = (transport: string): string => running.get(transport)?.url ?? ''

const long = (duration: number) => ({
  name: 'trigger-long-running-operation',
  arguments: { duration, steps: 3 },
})

describe.each([
  ['http', 'http'],
  ['sse', 'sse'],
] as const)('server-everything over %s', (transport, ours) => {
  const scope = anonymous(`session-${transport}`)
  const serviceId = `mcpservers:everything-${transport}`
  const target = toConnection(`agent::${serviceId}`)

  test('connect, list, call', async () => {
    covers('sequence-public')
    const { connections, registry } = subject
    const service = registry.put({ serviceId, url: urlOf(transport), transport: ours })
    const connected = await connections.connect(scope, toService(service), nothingOffered, link())
    expect(connected).toMatchObject({ outcome: 'connected', connection: { transport: ours } })

    const listed = await connections.listTools(scope, target, nothingOffered, link())
    if (listed.outcome !== 'listed') throw new Error(listed.outcome)
    expect(listed.tools.length).toBeGreaterThanOrEqual(8)
    expect(listed.tools.every(({ changed }) => !changed)).toBe(true)

    const echo = { name: 'echo', arguments: { message: 'through' } }
    const answered = await connections.callTool(scope, target, echo, nothingOffered, link())
    expect(answered).toMatchObject({
      outcome: 'answered',
      result: { content: [{ type: 'text', text: 'Echo: through' }] },
    })
    const image = await connections.callTool(
      scope,
      target,
      { name: 'get-tiny-image' },
      nothingOffered,
      link(),
    )
    expect(JSON.stringify(image)).toContain('"type":"image"')
    const weather = { name: 'get-structured-content', arguments: { location: 'New York' } }
    expect(await connections.callTool(scope, target, weather, nothingOffered, link())).toMatchObject({
      result: { structuredContent: { temperature: expect.any(Number) } },
    })
  }, 20_000)

  test('progress, and a call that is given up', async () => {
    const { connections } = subject
    const steps: number[] = []
    const outcome = await connections.callTool(
      scope,
      target,
      long(0.3),
      nothingOffered,
      link({ onProgress: ({ progress }) => steps.push(progress) }),
    )
    expect(outcome.outcome).toBe('answered')
    expect(steps).toEqual([1, 2, 3])

    const controller = new AbortController()
    const givenUp = connections.callTool(
      scope,
      target,
      long(30),
      nothingOffered,
      link({ signal: controller.signal, onProgress: () => controller.abort() }),
    )
    setTimeout(() => controller.abort(), 500)
    expect((await givenUp).outcome).toBe('cancelled')
  }, 20_000)
})

/** A caller who can be asked everything, and one who cannot: this server lists tools that ask to the first one alone. */
const asked = link({
  clientCapabilities: { elicitation: {}, sampling: {}, roots: {} },
  ask: async () => ({ roots: [] }),
})
const unasked = link()

test('callers who can be asked and others are listed other tools, which is no change', async () => {
  const { connections, registry } = subject
  const url = `${urlOf('http')}?asking`
  const service = registry.put({ serviceId: 'mcpservers:asking', url })
  const form = { service, secret: 'canary-secret', headerName: null, label: null }
  const { id } = await connections.create(testAuthor('acc_anna'), form)
  await connections.updateUse(testAuthor('acc_anna'), { id, onChange: 'block' })
  const anna = { accountId: 'acc_anna', sessionId: 's' }
  const targets = [
    [anonymous('asking'), toService(service)],
    [anna, toConnection(id)],
  ] as const
  for (const [scope, target] of targets) {
    const sizes: number[] = []
    for (const caller of [unasked, asked, unasked, asked]) {
      const listed = await connections.listTools(scope, target, nothingOffered, caller)
      if (listed.outcome !== 'listed') throw new Error(listed.outcome)
      expect(listed.removed).toEqual([])
      expect(listed.tools.filter(({ changed }) => changed)).toEqual([])
      sizes.push(listed.tools.length)
    }
    expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0)
    const roots = { name: 'get-roots-list', arguments: {} }
    const called = await connections.callTool(scope, target, roots, nothingOffered, asked)
    expect(called).toMatchObject({ outcome: 'answered', changed: false })
  }
  expect(await connections.get(anna, id)).toMatchObject({ changedTools: [] })
  expect(await connections.changedConnections()).not.toContainEqual(
    expect.objectContaining({ id, tools: [expect.anything()] }),
  )
  const known = (await connections.toolServers.list()).find((server) => server.url === url)
  expect(known).toMatchObject({ changedTools: [], removedTools: [], changedAt: null })
}, 20_000)

test('a client that speaks to it directly is held to the list of clients that can be asked what it can', async () => {
  const { connections, registry } = subject
  const url = `${urlOf('http')}?asking-directly`
  const service = registry.put({ serviceId: 'mcpservers:asking-directly', url })
  const form = { service, secret: 'canary-secret', headerName: null, label: null }
  const { id } = await connections.create(testAuthor('acc_anna'), form)
  await connections.updateUse(testAuthor('acc_anna'), { id, onChange: 'block' })
  const anna = { accountId: 'acc_anna', sessionId: 's' }

  const restarted = subject.opened(subject.another())
  restarted.registry.put(service)

  const rootsOf = async (capabilities: ClientCapabilities) => {
    let through = connections
    const client = new Client({ name: 'c', version: '1' }, { capabilities })
    if (capabilities.roots !== undefined) client.setRequestHandler('roots/list', () => ({ roots: [] }))
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), {
      fetch: async (to, init) =>
        through.passThrough(anna, id, nothingOffered, await passedRequest(new Request(to, init))),
    })
    await client.connect(transport)
    const { tools } = await client.listTools()
    // The session goes on in another process, which knows of it what its id says.
    through = restarted.connections
    const result = await client.callTool({ name: 'get-roots-list', arguments: {} })
    await client.close()
    return { isListed: tools.some(({ name }) => name === 'get-roots-list'), result }
  }
  const able = await rootsOf({ roots: {}, elicitation: {} })
  expect(able).toMatchObject({ isListed: true, result: { content: [{ type: 'text' }] } })
  expect(able.result.isError).not.toBe(true)
  const unable = await rootsOf({})
  expect(unable).toMatchObject({ isListed: false, result: { isError: true } })
  expect(JSON.stringify(unable.result)).toContain('not_allowed')
  expect(await connections.get(anna, id)).toMatchObject({ changedTools: [] })
}, 20_000)
