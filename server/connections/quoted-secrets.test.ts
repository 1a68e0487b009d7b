import { afterAll, beforeAll, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { McpServer, type ServerContext, createMcpHandler } from '@modelcontextprotocol/server'
import * as z from 'zod'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { covers } from '../../tests/support/covers.ts'
import {
  anonymous,
  inBag,
  link,
  nothingOffered,
  passedRequest,
  testAuthor,
  toConnection,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

/** A tool server that repeats the credential it was sent, wherever it can. */

const secret = 'canary+of/the"vault'
const shared = sharedConnections()
let server: Bun.Server<undefined>

const sentTo = ({ http }: ServerContext): string => http?.req?.headers.get('authorization') ?? ''

const forms: Readonly<Record<string, (sent: string) => string>> = {
  plain: (sent) => sent,
  percent: encodeURIComponent,
  base64: (sent) => Buffer.from(sent).toString('base64'),
  json: (sent) => JSON.stringify({ sent }),
}

function reflecting(): McpServer {
  const mcp = new McpServer({ name: 'reflecting', version: '1.0.0' })
  for (const [name, form] of Object.entries(forms)) {
    mcp.registerTool(name, { inputSchema: z.object({}) }, (_, context) => {
      const text = form(sentTo(context))
      return { content: [{ type: 'text', text }], structuredContent: { deep: [{ [text]: text }] } }
    })
  }
  mcp.registerTool('fail', { inputSchema: z.object({}) }, (_, context) => {
    throw new Error(`who sends ${sentTo(context)}?`)
  })
  return mcp
}

/** Refuses one tool by a JSON-RPC error, whose text is the server's, too. */
async function refusing(request: Request): Promise<Response | null> {
  if (request.headers.get('mcp-name') !== 'refuse') return null
  const { id } = (await request.json()) as { id: string }
  const message = `not for ${request.headers.get('authorization')}`
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
}

beforeAll(() => {
  const handler = createMcpHandler(reflecting, { legacy: 'reject' })
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => (await refusing(request)) ?? handler.fetch(request),
  })
})
afterAll(() => server.stop(true))

const serviceOf = (name: string) =>
  shared.registry.put({
    serviceId: `mcpservers:${name}`,
    url: `http://127.0.0.1:${server.port}/mcp`,
    authType: 'api_key',
    credentialKey: 'vault',
  })

const kept = /canary|Y2FuYXJ5|NhbmFyeS|jYW5hcn/

test.each([...Object.keys(forms), 'fail', 'refuse'])(
  '%s: nobody is shown the secret that was sent',
  async (name) => {
    covers('threat-46')
    const outcome = await shared.connections.callTool(
      anonymous('session-quoted'),
      toService(serviceOf('reflecting')),
      { name },
      inBag('vault', secret),
      link(),
    )
    const text = JSON.stringify(outcome)
    expect(text).toContain('[secret]')
    expect(text).not.toMatch(kept)
    expect(shared.logged.join('\n')).not.toMatch(kept)
  },
)

test('nor is a client that speaks to the tool server directly', async () => {
  const scope = anonymous('session-direct')
  const offered = inBag('vault', secret)
  const { serviceId } = serviceOf('reflecting-direct')
  const service = toService(serviceOf('reflecting-direct'))
  await shared.connections.connect(scope, service, offered, link())
  const bodies: Promise<string>[] = []
  const pass = async (url: string | URL, init?: RequestInit) => {
    const request = await passedRequest(new Request(url, init))
    const response = await shared.connections.passThrough(scope, `agent::${serviceId}`, offered, request)
    bodies.push(response.clone().text())
    return response
  }
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), { fetch: pass }),
  )
  for (const name of [...Object.keys(forms), 'fail', 'refuse']) {
    const said = await client.callTool({ name }).catch(String)
    expect(JSON.stringify(said)).toContain('[secret]')
  }
  await client.close()
  expect((await Promise.all(bodies)).join('\n')).not.toMatch(kept)
})

test('the owner of a saved connection reads in the audit log that its secret was quoted, once', async () => {
  const author = testAuthor('acc_quoted')
  const service = serviceOf('reflecting-saved')
  const { id } = await shared.connections.create(author, { service, secret, headerName: null, label: null })
  const scope = { accountId: 'acc_quoted', sessionId: '' }
  for (const name of ['plain', 'base64']) {
    const { connections } = shared
    const outcome = await connections.callTool(scope, toConnection(id), { name }, nothingOffered, link())
    expect(JSON.stringify(outcome)).toContain('[secret]')
  }
  const quoted = () => shared.events.filter(({ action }) => action === 'connection.secret_quoted')
  await waitUntil('the owner is told', () => quoted().length > 0)
  expect(quoted()).toMatchObject([{ subject: { id }, after: { accountId: 'acc_quoted' } }])
})

test('its owner can have results keep it; errors and refusals never do, and the others still see none', async () => {
  const author = testAuthor('acc_shown')
  const service = serviceOf('reflecting-shown')
  const { id } = await shared.connections.create(author, { service, secret, headerName: null, label: null })
  const scope = { accountId: 'acc_shown', sessionId: '' }
  const textOf = async (name: string) =>
    JSON.stringify(
      await shared.connections.callTool(scope, toConnection(id), { name }, nothingOffered, link()),
    )
  expect(await textOf('base64')).not.toMatch(kept)
  await shared.connections.updateUse(author, { id, showsSecrets: true })
  expect(await textOf('base64')).toMatch(kept)
  for (const name of ['fail', 'refuse']) expect(await textOf(name)).not.toMatch(kept)
  await shared.connections.updateUse(author, { id, showsSecrets: false })
  expect(await textOf('base64')).not.toMatch(kept)
})
