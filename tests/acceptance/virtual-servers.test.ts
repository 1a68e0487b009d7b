import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type EverythingServer, startEverything } from '../../scripts/world/everything.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { Json } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { toolNames } from '../../shared/gateway.ts'
import { commandLineOf } from '../support/command-line.ts'
import { agentProgram, letIn } from '../support/agent-program.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import {
  type ScriptedToolServer,
  startScriptedToolServer,
  textTool,
} from '../support/scripted-tool-server.ts'
import {
  type VirtualServerClient,
  type VirtualServerClientKind,
  connectVirtualServer,
  virtualServerClients,
} from '../support/virtual-server-client.ts'

/** Sets of tools under one address, as clients of both SDKs and their owner see them. */

let everything: EverythingServer
let scripted: ScriptedToolServer
let vault: ToolServer
let installation: TestInstallation
let server: GatehouseProcess
let key: GatewayKey

/** What the vault wants to be shown. */
const vaultLock = { header: 'authorization', value: 'Bearer good' }

const firstTools = [
  textTool('send', 'Sends a letter', ['to*', 'text*', 'from']),
  textTool('drop', 'Throws everything away'),
]

beforeAll(async () => {
  scripted = startScriptedToolServer(firstTools)
  ;[everything, vault] = await Promise.all([startEverything('http'), startToolServer({ wants: vaultLock })])
  const chains = ['base']
  const source = writeRegistry([
    { slug: 'everything', provider: 'Everything', url: everything.url, chains },
    { slug: 'scripted', provider: 'Scripted', url: scripted.url, chains },
    { slug: 'vault', provider: 'Vault', url: vault.url, auth: 'API Key', credentialKey: 'vault', chains },
  ])
  installation = await createTestInstallation({
    registry: { source },
    virtualServers: [{ name: 'letters', members: [{ service: 'mcpservers:scripted' }] }],
  })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:everything')
  key = await makeGatewayKey(server.url)
  const { data } = await key.owner.mutate('connections.create', {
    serviceId: 'mcpservers:vault',
    secret: 'good',
  })
  const saved = await save({
    name: 'office',
    title: 'Office',
    instructions: 'Write politely.',
    members: [
      { service: 'mcpservers:everything', prefix: 'all_' },
      {
        service: 'mcpservers:scripted',
        tools: [
          {
            tool: 'send',
            rename: 'send_letter',
            description: 'Sends a letter of the office',
            arguments: { from: 'The office' },
          },
          { tool: 'drop', allow: false },
        ],
      },
      {
        connection: (data as { id: string }).id,
        prefix: 'vault.',
        others: 'deny',
        tools: [{ tool: 'echo' }],
      },
    ],
  })
  expect(saved.error).toBeUndefined()
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await Promise.all([everything?.stop(), scripted?.stop(), vault?.stop()])
})

const save = (spec: object, isNew = true) => key.owner.mutate('virtualServers.save', { spec, isNew })
const details = async (name: string): Promise<Json> =>
  (await key.owner.mutate('virtualServers.details', { name })).data as Json
const textOf = (error: unknown): string => JSON.stringify(error)

const identity = { name: 'agent', version: '1' }

const connect = (kind: VirtualServerClientKind, name: string, token = key.value) =>
  connectVirtualServer(kind, name, server.url, token)

async function withAgent<T>(
  kind: VirtualServerClientKind,
  name: string,
  work: (agent: VirtualServerClient) => Promise<T>,
) {
  const agent = await connect(kind, name)
  try {
    return await work(agent)
  } finally {
    await agent.close()
  }
}

const namesIn = ({ tools }: Json): string[] => tools.map(({ name }: Json) => name)

/** Sends one message as a client of 2025 does. */
const post = (path: string, message: object, headers: Record<string, string>): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: identity },
}
const shown = (token: string) => ({ authorization: `Bearer ${token}` })

/** Begins a session; returns the status and the challenge. */
async function begin(path: string, token?: string): Promise<{ status: number; challenge: string | null }> {
  const answer = await post(path, initialize, token === undefined ? {} : shown(token))
  await answer.body?.cancel()
  return { status: answer.status, challenge: answer.headers.get('www-authenticate') }
}

describe.each([...virtualServerClients])('a client of %s', (kind) => {
  test('has the tools of all members under the names and with the arguments that their owner chose', async () => {
    await withAgent(kind, 'office', async (agent) => {
      const list = await agent.listTools()
      const names = namesIn(list)
      expect(names).toContain('all_echo')
      expect(names).not.toContain('drop')
      expect(names.slice(-2)).toEqual(['send_letter', 'vault.echo'])
      const letter = list.tools.find(({ name }: Json) => name === 'send_letter')
      expect(letter.description).toBe('Sends a letter of the office')
      expect(Object.keys(letter.inputSchema.properties)).toEqual(['to', 'text'])
      expect(letter.inputSchema.required).toEqual(['to', 'text'])

      const sent = { to: 'Ann', text: 'Hi', from: 'Somebody else', From: 'Nobody' }
      const answer = await agent.callTool({ name: 'send_letter', arguments: sent })
      expect(JSON.parse(answer.content[0].text)).toEqual({
        name: 'send',
        arguments: { to: 'Ann', text: 'Hi', from: 'The office' },
      })
      const echo = await agent.callTool({ name: 'all_echo', arguments: { message: 'hello' } })
      expect(echo.content).toEqual([{ type: 'text', text: 'Echo: hello' }])
      const kept = await agent.callTool({ name: 'vault.echo', arguments: { message: 'secret' } })
      expect(kept.content).toEqual([{ type: 'text', text: 'secret' }])
      // What its owner left out is not there, however it is called.
      for (const name of ['drop', 'send', 'vault.fail', 'execute'])
        await expect(agent.callTool({ name, arguments: {} })).rejects.toThrow('Unknown tool')
      expect(scripted.calls.every((call) => call.name === 'send')).toBe(true)
    })
  })

  test('searches, reads and calls the tools of a searchable one', async () => {
    await save({ name: 'searched', mode: 'searchable', members: [{ service: 'mcpservers:scripted' }] }, false)
    await withAgent(kind, 'searched', async (agent) => {
      expect(namesIn(await agent.listTools())).toEqual(['search_tools', 'read_tool', 'call_tool'])
      const found = await agent.callTool({ name: 'search_tools', arguments: { query: 'post a letter' } })
      expect(found.structuredContent).toMatchObject({
        tools: [{ name: 'send', arguments: 'to* text* from' }],
        total: 1,
        next_offset: null,
      })
      const read = await agent.callTool({ name: 'read_tool', arguments: { name: 'send' } })
      expect(read.structuredContent.tool).toEqual(firstTools[0])
      const call = { name: 'send', arguments: { to: 'Bob', text: 'Hi' } }
      const answer = await agent.callTool({ name: 'call_tool', arguments: call })
      expect(JSON.parse(answer.content[0].text)).toEqual(call)
      const unknown = await agent.callTool({ name: 'call_tool', arguments: { name: 'nothing' } })
      expect(unknown).toMatchObject({
        isError: true,
        _meta: { 'gatehouse/refusal': { error: { code: 'invalid_arguments' } } },
      })
    })
  })
})

test('the five tools are a virtual server, and the file describes one that every account has', async () => {
  await withAgent('v2 2026 http', 'gateway', async (agent) => {
    expect(namesIn(await agent.listTools())).toEqual([...toolNames])
    const answer = await agent.callTool({ name: 'discover_networks' })
    expect(answer.structuredContent.total).toBeGreaterThan(0)
  })
  await withAgent('v2 2025 http', 'letters', async (agent) =>
    expect(namesIn(await agent.listTools())).toEqual(['send', 'drop']),
  )
  const taken = await save({ name: 'letters', members: [{ gateway: true }] })
  expect([taken.status, textOf(taken.error)]).toEqual([409, expect.stringContaining('the installation has')])
})

test('strangers are told nothing but how to come in, others and unknown names get the same 404', async () => {
  const other = await makeGatewayKey(server.url)
  const useless = await makeGatewayKey(server.url, ['statistics_read'])
  const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp/v/office`
  expect(await begin('/mcp/v/office')).toEqual({
    status: 401,
    challenge: `Bearer resource_metadata="${metadata}", scope="gateway_use"`,
  })
  expect((await begin('/mcp/v/nothing')).status).toBe(401)
  const described = async (name: string) =>
    (await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp/v/${name}`)).json()
  expect(await described('office')).toMatchObject({
    resource: `${server.url}/mcp/v/office`,
    authorization_servers: [server.url],
  })
  expect(await described('nothing')).toMatchObject({ resource: `${server.url}/mcp/v/nothing` })
  expect((await begin('/mcp/v/office', other.value)).status).toBe(404)
  expect((await begin('/mcp/v/nothing', other.value)).status).toBe(404)
  expect((await begin('/mcp/v/nothing', key.value)).status).toBe(404)
  expect((await begin('/mcp/v/office', useless.value)).status).toBe(403)
  expect((await begin('/mcp/v/office', key.value)).status).toBe(200)
  // A name is its account's own: another may use it, too.
  const { error } = await other.owner.mutate('virtualServers.save', {
    spec: { name: 'office', members: [{ gateway: true }] },
    isNew: true,
  })
  expect(error).toBeUndefined()
  const client = await connect('v2 2026 http', 'office', other.value)
  expect(namesIn(await client.listTools())).toEqual([...toolNames])
  await client.close()
})

test('an agent that was let in at one virtual server has that one only', async () => {
  const program = agentProgram('Letter writer')
  const url = new URL('/mcp/v/office', server.url)
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: program })
  const refused = transport()
  await new Client(identity).connect(refused).catch(() => undefined)
  expect(program.sentTo?.searchParams.get('resource')).toBe(url.href)
  const back = await letIn(key.owner, program.sentTo ?? url)
  await refused.finishAuth(back.searchParams)
  const client = new Client(identity)
  await client.connect(transport())
  expect(namesIn(await client.listTools())).toContain('send_letter')
  await client.close()
  const token = program.kept?.access_token
  expect((await begin('/mcp/v/office', token)).status).toBe(200)
  for (const path of ['/mcp/v/searched', '/mcp/v/gateway', '/mcp', '/mcp/account'])
    expect([path, (await begin(path, token)).status]).toEqual([path, 401])
})

test('a session of one address is none at another', async () => {
  const opened = await post('/mcp/v/office', initialize, shown(key.value))
  await opened.text()
  const session = { ...shown(key.value), 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const ping = async (path: string) => (await post(path, { method: 'ping' }, session)).status
  expect([await ping('/mcp/v/office'), await ping('/mcp/v/searched'), await ping('/mcp')]).toEqual([
    200, 404, 404,
  ])
})

/** A client that keeps the names of the tools it was told of. */
async function listening(mode: 'legacy' | { readonly pin: string }) {
  const told: string[] = []
  const onChanged = (_: unknown, tools: readonly { name: string }[] | null) =>
    void told.push(...(tools ?? []).map(({ name }) => name))
  const client = new Client(identity, { versionNegotiation: { mode }, listChanged: { tools: { onChanged } } })
  const requestInit = { headers: { authorization: `Bearer ${key.value}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/v/both', server.url), { requestInit }))
  await client.listTools()
  return { client, told }
}

test('what two tools would be called is refused when it is saved, and a tool that comes later takes no name', async () => {
  const members = [{ service: 'mcpservers:everything' }, { service: 'mcpservers:scripted' }]
  expect((await save({ name: 'both', members })).status).toBe(200)
  const listeners = await Promise.all([listening('legacy'), listening({ pin: '2026-07-28' })])

  scripted.setTools([...firstTools, textTool('echo', 'Not that of everything')])
  const now = await details('both')
  const echoes = now.tools.filter(({ tool }: Json) => tool === 'echo')
  expect(echoes).toMatchObject([
    { name: 'echo', member: 0, isRenamed: false },
    { name: 'echo_2', member: 1, isRenamed: true, changed: true },
  ])
  for (const { client, told } of listeners) {
    await waitUntil('the client has heard of it', () => told.includes('echo_2'))
    const answer: Json = await client.callTool({ name: 'echo', arguments: { message: 'still mine' } })
    expect(answer.content[0].text).toBe('Echo: still mine')
    await client.close()
  }

  const again = await save({ name: 'again', members })
  expect([again.status, textOf(again.error)]).toEqual([
    409,
    expect.stringContaining(
      'two tools would be called echo: echo of member 1 (Everything) and echo of member 2 (Scripted). Give one member a prefix',
    ),
  ])
  scripted.setTools(firstTools)
})

test('a member that is away leaves its tools out, says so, and does not disturb the others', async () => {
  scripted.setAway(true)
  const now = await details('office')
  expect(now.members[1].away).toBe('it cannot be reached')
  await withAgent('v2 2026 http', 'office', async (agent) => {
    const list = await agent.listTools()
    expect(namesIn(list)).toContain('all_echo')
    expect(namesIn(list)).not.toContain('send_letter')
    expect(list._meta['gatehouse/members_away']).toEqual([
      { member: 'mcpservers:scripted', why: 'it cannot be reached' },
    ])
    const echo = await agent.callTool({ name: 'all_echo', arguments: { message: 'here' } })
    expect(echo.content[0].text).toBe('Echo: here')
    const away = await agent.callTool({ name: 'send_letter', arguments: { to: 'a', text: 'b' } })
    expect(away.isError).toBe(true)
  })
  scripted.setAway(false)
})

test('a refusal names the page where its owner can mend what is wrong', async () => {
  const made = await key.owner.mutate('connections.create', { serviceId: 'mcpservers:vault', secret: 'good' })
  const { id } = made.data as { id: string }
  expect((await save({ name: 'mended', members: [{ connection: id, prefix: 'v_' }] })).error).toBeUndefined()
  await withAgent('v2 2026 http', 'mended', async (agent) => {
    expect(namesIn(await agent.listTools())).toContain('v_echo')
    const refusal = async () =>
      (await agent.callTool({ name: 'v_echo', arguments: { message: 'hi' } }))._meta['gatehouse/refusal']
    vaultLock.value = 'Bearer another'
    const anotherSecret = `${server.url}/gateway?tab=connections&create=mcpservers%3Avault`
    expect(await refusal()).toMatchObject({
      error: {
        code: 'auth_required',
        message: expect.stringContaining(`opens ${anotherSecret} in a browser`),
      },
      console_url: anotherSecret,
    })
    vaultLock.value = 'Bearer good'
    expect(await refusal()).toBeUndefined()
    await key.owner.mutate('connections.delete', { id })
    const url = `${server.url}/gateway?tab=virtual-servers`
    await waitUntil('the connection is gone', async () => (await refusal())?.console_url === url)
    expect(await refusal()).toMatchObject({ error: { code: 'unknown_connection' } })
  })
  await key.owner.mutate('virtualServers.delete', { name: 'mended' })
})

test('saving says which member is wrong; what is deleted is gone, with its sessions; both are in the audit log', async () => {
  const wrong = await save({
    name: 'wrong',
    members: [{ service: 'mcpservers:nothing' }, { service: 'mcpservers:vault' }, { connection: 'con_x' }],
  })
  expect(wrong.status).toBe(422)
  for (const text of [
    'the registry lists no such tool server',
    'wants credentials',
    'no such saved connection',
  ])
    expect(textOf(wrong.error)).toContain(text)
  expect((await key.owner.mutate('virtualServers.delete', { name: 'both' })).status).toBe(200)
  expect((await begin('/mcp/v/both', key.value)).status).toBe(404)
  expect((await key.owner.mutate('virtualServers.delete', { name: 'both' })).status).toBe(404)
  const { events } = (await server.operator.audit.list.query({ subjectKind: 'virtual_server' })) as Json
  expect(events.map(({ action }: Json) => action)).toEqual(
    expect.arrayContaining(['virtual_server.create', 'virtual_server.delete']),
  )
})

test('operators make, list and show them at the command line', async () => {
  const { run } = commandLineOf(server.dataDir)
  const account = key.owner.wallet.address
  const file = join(server.dataDir, 'virtual.yaml')
  writeFileSync(file, 'name: by-hand\nmembers:\n  - service: mcpservers:scripted\n    prefix: s_\n')
  const applied = await run(['virtual-servers', 'apply', file, '--account', account])
  expect([applied.stderr, applied.stdout]).toEqual(['', `by-hand is at ${server.url}/mcp/v/by-hand\n`])
  expect((await run(['virtual-servers', 'list'])).stdout).toContain(`${server.url}/mcp/v/by-hand`)
  const printed = await run(['virtual-servers', 'show', 'by-hand', '--account', account])
  expect(printed.stdout).toContain('s_send')
  writeFileSync(file, 'name: By Hand\nmembers: []\n')
  const refused = await run(['virtual-servers', 'apply', file, '--account', account])
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('lower-case letters')])
})
