import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import {
  type ScriptedToolServer,
  startScriptedToolServer,
  textTool,
} from '../support/scripted-tool-server.ts'

/** Virtual servers of the installation's file, while it is edited. */

let scripted: ScriptedToolServer
let installation: TestInstallation
let server: GatehouseProcess
let key: GatewayKey
let file: { readonly registry: object; readonly verifiers: object }

const member = { service: 'mcpservers:scripted' }
const letters = (prefix: string) => ({ name: 'letters', members: [{ ...member, prefix }] })
const other = { name: 'other', members: [member] }

beforeAll(async () => {
  scripted = startScriptedToolServer([textTool('send', 'Sends a letter')])
  const { url } = scripted
  const source = writeRegistry([{ slug: 'scripted', provider: 'Scripted', url, chains: ['base'] }])
  file = { registry: { source }, verifiers: { builtIn: false } }
  installation = await createTestInstallation({ ...file, virtualServers: [letters('a_'), other] })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:scripted')
  key = await makeGatewayKey(server.url)
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await scripted?.stop()
})

/** A client that keeps the lists of tools that it reads because it was told of a change. */
async function listening(name: string, mode: 'legacy' | { readonly pin: string }) {
  const lists: string[] = []
  const onChanged = (_: unknown, tools: readonly { name: string }[] | null) =>
    void lists.push((tools ?? []).map((tool) => tool.name).join())
  const client = new Client(
    { name: 'agent', version: '1' },
    { versionNegotiation: { mode }, listChanged: { tools: { onChanged } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${key.value}` } }
  const url = new URL(`/mcp/v/${name}`, server.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  await client.listTools()
  return { client, lists }
}

test('clients of one that is edited in the file are told, and nobody else is', async () => {
  const modes = ['legacy', { pin: '2026-07-28' }] as const
  const ofLetters = await Promise.all(modes.map((mode) => listening('letters', mode)))
  const ofOther = await Promise.all(modes.map((mode) => listening('other', mode)))
  installation.writeFile({ ...file, virtualServers: [other, letters('b_')] })
  for (const { lists } of ofLetters)
    await waitUntil('the client has read the new list', () => lists.includes('b_send'))
  // What is told last is the first that these are told.
  installation.writeFile({ ...file, virtualServers: [letters('b_'), { ...other, mode: 'searchable' }] })
  for (const { lists } of ofOther) {
    await waitUntil('the client has read the new list', () => lists.length > 0)
    expect(lists).toEqual(['search_tools,read_tool,call_tool'])
  }
  for (const { lists } of ofLetters) expect(lists).toEqual(['b_send'])
  for (const { client } of [...ofLetters, ...ofOther]) await client.close()
})
