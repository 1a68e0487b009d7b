import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { createFixtureServer } from '../../scripts/world/conformance/fixture-server.ts'
import { startServerBehindGateway } from '../../server/gateway/test-support/server-behind-gateway.ts'
import {
  authorizationScenarios,
  failingScenarios,
  requiredScenarios,
  requirementSets,
} from '../support/conformance.ts'
import type { RequirementSet } from '../support/conformance.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { letIn } from '../support/agent-program.ts'
import { covers } from '../support/covers.ts'

/** The conformance suite of the protocol's authors. It calls tools by fixed names, which a server of ours has. */

const withinMs = 180_000

let fixture: ReturnType<typeof startServerBehindGateway>
let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  fixture = startServerBehindGateway(() => createFixtureServer())
  const source = writeRegistry([
    { slug: 'fixture', provider: 'Fixture', url: `${fixture.url}/mcp`, chains: ['base'] },
  ])
  installation = await createTestInstallation({ registry: { source } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:fixture')
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await fixture?.stop()
})

const throughGateway = (): string =>
  `${server.url}/mcp/c/${encodeURIComponent('public::base::mcpservers:fixture')}`

test(
  'a tool asks the user on the stream of its call, and needs no other stream',
  async () => {
    const capabilities = { elicitation: { form: {} } }
    const client = new Client(
      { name: 'c', version: '1' },
      { capabilities, versionNegotiation: { mode: 'legacy' } },
    )
    const content = { name: 'Ada', age: 36, score: 1, status: 'active', verified: true }
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }))
    const transport = new StreamableHTTPClientTransport(new URL(throughGateway()), {
      fetch: (url, init) =>
        init?.method === 'GET' ? Promise.resolve(new Response(null, { status: 405 })) : fetch(url, init),
    })
    await client.connect(transport)
    const result = await client.callTool({ name: 'test_elicitation_sep1034_defaults', arguments: {} })
    expect(JSON.stringify(result.content)).toContain('Ada')
    await client.close()
  },
  withinMs,
)

test(
  'the authorization server passes both scenarios that there are for one',
  async () => {
    const owner = await signInAt(server.url)
    const port = await findFreePort()
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    const results = await authorizationScenarios({
      issuer: server.url,
      clientId,
      port,
      agree: (link) => letIn(owner, link),
    })
    expect(results).toEqual({
      'authorization-server-metadata-endpoint': '2 passed, 0 failed',
      'authorization-code-grant': '1 passed, 0 failed',
    })
  },
  withinMs,
)

/** What the five tools alone cannot do, because the suite asks for tools, prompts and resources of its own. It may only shrink. */
const notOfTheFiveTools: Readonly<Record<RequirementSet, number>> = { '2025-11-25': 24, '2026-07-28': 29 }

describe.each([...requirementSets])('%s', (set) => {
  test(
    'a server behind our transports, sessions and guards passes',
    async () => {
      covers('gateway-address', 'threat-41', 'threat-42')
      expect(await failingScenarios(`${fixture.url}/mcp`, set)).toEqual([])
    },
    withinMs,
  )

  test(
    'a tool server that is reached through /mcp/c/ passes',
    async () => {
      covers('gateway-versioning')
      expect(await failingScenarios(throughGateway(), set)).toEqual([])
    },
    withinMs,
  )

  test(
    'the gateway itself passes what is not about tools of the suite',
    async () => {
      const failing = await failingScenarios(`${server.url}/mcp`, set)
      expect(failing.length).toBeLessThanOrEqual(notOfTheFiveTools[set])
      for (const name of failing)
        expect(name).toMatch(
          /tool|resource|prompt|elicitation|input-required|complet|logging|caching|stateless/,
        )
      expect(requiredScenarios(set).length - failing.length).toBeGreaterThanOrEqual(6)
    },
    withinMs,
  )
})
