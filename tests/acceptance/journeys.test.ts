import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { temporaryDataDir } from '../../scripts/world/database.ts'
import { executedFiles } from '../../scripts/world/executed-files/executed-files.ts'
import type { ExecutedFiles } from '../../scripts/world/executed-files/executed-files.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { sourceCommand } from '../../scripts/world/product-programs.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import { startToolServer } from '../../server/connections/test-support/tool-server.ts'
import type { ToolServer } from '../../server/connections/test-support/tool-server.ts'
import type { ObservationRow } from '../../shared/verifier-protocol.ts'
import { startAnsweringNode } from '../support/answering-node.ts'

/**
 * The journeys of server/README.md in a running server: the README names every file that one of them goes through,
 * and their number stays within bounds. Counted are the files of which at least one function runs; the tools of every
 * journey, `server/platform/` and `shared/`, are not.
 */

const node = startAnsweringNode()
let toolServer: ToolServer
let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient
let files: ExecutedFiles

beforeAll(async () => {
  toolServer = await startToolServer({ era: 'modern' })
  files = executedFiles(temporaryDataDir())
  const tools = { slug: 'tools', provider: 'Tools', url: toolServer.url, chains: ['base'] }
  const file = {
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [{ id: 'node', name: 'Node', chain: 'testnet', provider: 'acme', endpoint: node.url }],
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ url: node.url }] }],
    queryKeyDefaults: { rateLimit: 600, rateLimitPeriod: 'minute' },
    registry: { source: writeRegistry([tools]) },
    verifiers: { builtIn: false },
  }
  // The files themselves: a bundle holds all of them in one.
  installation = await createTestInstallation(file, { command: sourceCommand('server/main.ts') })
  server = await installation.start(files.environment)
  await untilListed(server.url, 'mcpservers:tools')
  owner = await signInAt(server.url)
}, 120_000)
afterAll(async () => {
  await installation?.remove()
  await Promise.all([toolServer?.stop(), node.stop()])
})

const readme = readFileSync('server/README.md', 'utf8')

/** The files that the section of this title names. */
function filesNamedUnder(title: string): Set<string> {
  const section = readme.split(`\n### ${title}\n`)[1]?.split('\n#', 1)[0] ?? ''
  return new Set([...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path]) => `server/${path}`))
}

const isTool = (path: string): boolean => /^(?:shared|server\/platform)\//.test(path)

function expectJourney(title: string, executed: readonly string[], most: number): void {
  const paths = [...new Set(executed)].filter((path) => !isTool(path))
  const named = new Set([...filesNamedUnder('Every request'), ...filesNamedUnder(title)])
  expect(paths.filter((path) => !named.has(path))).toEqual([])
  expect(paths.length).toBeLessThanOrEqual(most)
}

async function succeeded(answering: Promise<Response>): Promise<unknown> {
  const response = await answering
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text)
}

async function createKey(name: string): Promise<string> {
  const { data, error } = await owner.mutate('queryKeys.create', {
    name,
    endpoint: 'testnet',
    type: 'freeRPC',
  })
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return (data as { value: string }).value
}

test('a report, and the answer of GET /health', async () => {
  const { token } = await server.operator.verifiers.createToken.mutate({ label: 'wire' })
  const verifier = await enrolWireVerifier(server.url, token, 'wire')
  let height = 1_000
  const report = await files.during(() => {
    height += 1
    const seconds = Math.floor(Date.now() / 1_000)
    const observation: ObservationRow = [0, 1, null, height, seconds, '0123456789abcdef', 5, 0]
    const rounds = [roundOf('testnet', [observation])]
    return succeeded(verifier.report({ services: ['node'], rounds }))
  })
  const answer = await files.during(() => succeeded(fetch(`${server.url}/health/node`)))
  expectJourney('A report', [...report, ...answer], 30)
})

test('a key made in the console', async () => {
  let made = 0
  const executed = await files.during(() => createKey(`key ${(made += 1)}`))
  expectJourney('A key made in the console', executed, 45)
})

test('a relayed call', async () => {
  const url = `${server.url}/rpc/testnet/${await createKey('calls')}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] })
  const executed = await files.during(() => succeeded(fetch(url, { method: 'POST', body })))
  expectJourney('A relayed call', executed, 40)
})

test('call_mcp_tool', async () => {
  const client = await connectClient('v2 2026 http', server.url)
  const call = { tool_name: 'echo', arguments: { message: 'hi' } }
  const executed = await files.during(() => client.execute('call_mcp_tool', call, 'mcpservers:tools'))
  await client.close()
  // What is done with every call, whichever way it goes, is a journey of its own.
  const record = filesNamedUnder('The record of a tool call')
  const isOfRecord = (path: string) => record.has(path)
  expectJourney(
    'A tool call',
    executed.filter((path) => !isOfRecord(path)),
    40,
  )
  expectJourney('The record of a tool call', executed.filter(isOfRecord), 11)
})
