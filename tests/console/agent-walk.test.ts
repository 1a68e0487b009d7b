import { rmSync } from 'node:fs'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { type ConsoleUnderTest, startConsole } from '../../scripts/world/console-under-test.ts'
import { writeConsoleRegistry } from '../../scripts/world/console-registry.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { type TestMcpClient, asTestClient, mcpRemote } from '../../scripts/world/mcp-clients.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  type OAuthToolServer,
  startOAuthToolServer,
} from '../../server/connections/test-support/oauth-tool-server.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'

/** A person, and an agent that knows nothing but an address and OAuth, from the first visit to the record of the calls. */

const isReady = needs('chromium-headless-shell')

/** The person agrees in the browser, signed in with a wallet of a moment. */
async function letItIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await button(page, 'Try with a throwaway wallet').click()
  await page.getByRole('heading', { name: /^A program that calls itself/ }).waitFor()
  await button(page, 'Allow').click()
  await page.waitForURL(/^http:\/\/localhost:/)
}

async function savePolicy(page: Page): Promise<void> {
  await page.goto('/gateway?tab=policies')
  await button(page, 'Add policy').click()
  await page.getByLabel('For the calls of').selectOption({ label: 'Connection “Logbook”' })
  await page.getByLabel('Denied tools').fill('quote')
  await button(page, 'Add limit').click()
  await page.getByLabel('Tools of limit 1').fill('echo')
  await page.getByLabel('Calls of limit 1: at most').fill('10')
  await button(page, 'Save policy').click()
  await page.getByRole('row').filter({ hasText: 'Logbook' }).getByText('echo: 10 per hour').waitFor()
}

/** The agent finds it and says where its owner agrees; the owner agrees there. Returns the id of the connection. */
async function connectFound(page: Page, agent: TestMcpClient): Promise<string> {
  const { value: found } = await agent.call('search', { query: 'logbook of a harbour' })
  const [{ service_id }] = found.results
  expect(service_id).toBe('mcpservers:notes')
  const { value: refused } = await agent.execute('connect_mcp', {}, service_id)
  expect(refused.error.code).toBe('auth_required')
  const [save] = refused.next_actions
  expect(save).toMatchObject({ operation: 'create_connection' })
  const { value: begun } = await agent.execute(save.operation, { ...save.arguments, label: 'Logbook' })
  const { connection_id } = begun
  const { value: wanting } = await agent.execute('connect_mcp', { connection_id })
  expect(wanting.error.code).toBe('auth_required')
  await page.goto(wanting.connect_url)
  await button(page, 'Connect').click()
  await page.waitForURL(/outcome=connected/)
  const { value: connection } = await agent.execute('connect_mcp', { connection_id })
  expect(connection).toMatchObject({ status: 'connected', auth_source: 'saved_connection' })
  return connection_id
}

describe.skipIf(!isReady)('an agent that knows only OAuth', () => {
  let notes: OAuthToolServer
  let registry: string
  let subject: ConsoleUnderTest
  let callbackPort: number

  beforeAll(async () => {
    notes = await startOAuthToolServer()
    registry = writeConsoleRegistry({
      chain: 'base',
      mcpservers: [
        {
          slug: 'notes',
          provider: 'Logbook Notes',
          transportType: 'http',
          mcpEndpoint: notes.url,
          authType: 'OAuth',
          credentialKey: 'notes',
          description: 'The logbook of a harbour',
        },
      ],
    })
    callbackPort = await findFreePort()
    const friends = [`http://localhost:${callbackPort}`, notes.peer.issuer]
    subject = await startConsole({ registry: { source: registry } }, {}, friends)
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await notes?.stop()
    if (registry !== undefined) rmSync(registry, { recursive: true, force: true })
  })

  /** Starts it as an MCP client does that was given the address, and returns where it sends its person. */
  async function addTheAddress(): Promise<{ link: string; connected: Promise<TestMcpClient> }> {
    const transport = mcpRemote(new URL('/mcp/account', subject.server.url), { callbackPort })
    let said = ''
    transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const client = new Client({ name: 'walking agent', version: '1' })
    const connected = client.connect(transport).then(() => asTestClient('mcp-remote', client))
    connected.catch(() => undefined) // its failure is told to who waits
    await waitUntil('it says where to sign in', () => /\/oauth\/authorize\?\S+\s/.test(said), 30_000)
    return { link: /http:\S+\/oauth\/authorize\?\S+/.exec(said)?.[0] ?? '', connected }
  }

  test('is let in, finds a tool server, calls it, and is refused as its owner said; the console shows each step', async () => {
    const { page, complaints } = await subject.visit(null)
    const { link, connected } = await addTheAddress()
    await letItIn(page, link)
    const agent = await connected
    await page.goto('/gateway?tab=agents')
    await page.getByRole('row').filter({ hasText: 'MCP CLI Proxy' }).waitFor()
    const seen = [await page.content()]

    const connection_id = await connectFound(page, agent)
    const call = (tool_name: string, args: object = {}) =>
      agent.execute('call_mcp_tool', { connection_id, tool_name, arguments: args })
    const { content: first } = await call('echo', { message: 'all quiet' })
    expect(first).toEqual([{ type: 'text', text: 'all quiet' }])
    await savePolicy(page)
    const denied = await call('quote')
    expect(denied.value.error).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining(
        'This tool is denied by the policy of this connection (denied tools: quote)',
      ),
    })
    for (let made = 1; made <= 10; made += 1) {
      const { content } = await call('echo', { message: `call ${made}` })
      expect(content).toEqual([{ type: 'text', text: `call ${made}` }])
    }
    const { value: eleventh } = await call('echo', { message: 'call 11' })
    expect(eleventh.error.code).toBe('rate_limited')
    expect(eleventh.error.message).toContain(
      `at most 10 calls of echo in any hour: try again in ${eleventh.retry_after_seconds} seconds`,
    )
    // An hour after the first of the ten, less what has passed since.
    expect(eleventh.retry_after_seconds).toBeGreaterThan(3_500)
    expect(eleventh.retry_after_seconds).toBeLessThanOrEqual(3_601)

    await page.goto('/tool-calls')
    const rows = page.getByRole('row')
    const echoes = rows.filter({ hasText: 'echo' })
    await waitUntil('all calls are shown', async () => (await echoes.count()) === 12)
    expect(await echoes.filter({ hasText: 'denied' }).count()).toBe(1)
    await rows.filter({ hasText: 'quote' }).filter({ hasText: 'denied' }).getByRole('button').click()
    await page.getByText('policy of the connection, denied tools', { exact: true }).waitFor()
    seen.push(await page.content())
    await page.goto('/gateway?tab=connections')
    await rows.filter({ hasText: 'Logbook' }).getByText('Works').waitFor()
    seen.push(await page.content())
    const tokens = notes.shown.map((header) => header.replace(/^Bearer /, ''))
    expect(tokens.length).toBeGreaterThan(10)
    expect([...new Set(tokens)].filter((token) => seen.join().includes(token))).toEqual([])
    expect(seen.join()).not.toMatch(/g(?:ac|ar|at)_\w{20}/)
    // The last page of mcp-remote would like to close itself.
    expect(complaints.filter((text) => !text.startsWith('Scripts may close'))).toEqual([])
    await agent.close()
  }, 120_000)
})
