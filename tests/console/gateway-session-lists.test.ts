import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { writeConsoleRegistry } from '../../scripts/world/console-registry.ts'
import {
  closeDialog,
  looks,
  nothingWrong,
  startConsole,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { openSession } from '../faults/gateway/raw-calls.ts'
import { makeGatewayKey } from '../support/gateway-keys.ts'
import { needs } from '../support/needs.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { dialog } from '../support/page.ts'

/** The list of sessions while the other processes cannot be asked, virtual servers, and policies of tool calls. */

const isReady = needs('chromium-headless-shell')

const toolServer = { transportType: 'http', mcpEndpoint: 'http://127.0.0.1:9/mcp' }
let registry: string
let acme: ToolServer
let testbed: TestDatabase
let subject: ConsoleUnderTest

beforeAll(async () => {
  if (!isReady) return
  acme = await startToolServer({ wants: { header: 'authorization', value: 'Bearer hidden' } })
  const ofAcme = { transportType: 'http', mcpEndpoint: acme.url, credentialKey: 'acme' }
  registry = writeConsoleRegistry({
    chain: 'base',
    mcpservers: [
      { ...ofAcme, slug: 'acme', provider: 'Acme Tools', authType: 'API Key' },
      { ...toolServer, slug: 'notes', provider: 'Notes', authType: 'OAuth/PAT' },
      { ...toolServer, slug: 'open', provider: 'Open Tools', authType: 'None' },
    ],
  })
  testbed = await testDatabase()
  subject = await startConsole(
    { registry: { source: registry }, toolPolicies: { installation: { deny: ['wipe_*'] } } },
    { DATABASE_URL: testbed.url },
  )
  const owner = await signInAt(subject.server.url, subject.operator)
  const key = await makeGatewayKey(subject.server.url, ['gateway_use'], owner)
  await openSession(subject.server.url, key.value)
}, 90_000)

afterAll(async () => {
  await subject?.stop()
  await acme?.stop()
  await testbed?.drop()
  if (registry !== undefined) rmSync(registry, { recursive: true, force: true })
})

/** An account with a saved connection and a key. */
async function accountWithConnection() {
  const wallet = createTestWallet()
  const owner = await signInAt(subject.server.url, wallet)
  const credentials = { serviceId: 'mcpservers:acme', secret: 'hidden', headerName: null, label: 'Team' }
  const { data } = await owner.mutate('connections.create', credentials)
  await owner.mutate('apiKeys.create', { name: 'Research agent', permissions: ['gateway_use'] })
  return { wallet, owner, connectionId: (data as { id: string }).id }
}

describe.skipIf(!isReady)('virtual servers', () => {
  test('one is made of connections, says what is wrong at its field, is edited and deleted', async () => {
    const { wallet, owner } = await accountWithConnection()
    const { page, context, open, complaints } = await subject.visit(wallet)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const row = page.getByRole('row').filter({ hasText: 'Research' })
    await open('/gateway?tab=virtual-servers', 'Gateway')
    await page.getByText('built in').waitFor()
    expect(await button('Edit gateway').count()).toBe(0)

    await button('Create virtual server').click()
    await page.getByLabel('Name', { exact: false }).first().fill('Not a name')
    await button('Save').click()
    await page.getByText('without a hyphen at either end', { exact: false }).waitFor()
    await page.getByText('Add at least one member.').waitFor()
    await page.getByLabel('Name', { exact: false }).first().fill('research')
    await page.getByLabel('Title').fill('Research')
    await page.getByRole('button', { name: 'A search' }).or(page.getByLabel('A search')).click()
    await page.getByLabel('Members').selectOption({ label: 'Team' })
    await page.getByRole('region', { name: 'Team' }).getByLabel('Prefix').fill('team_')
    await button('Save').click()
    await row.getByText(`${subject.server.url}/mcp/v/research`).waitFor()
    await row.getByText('a search').waitFor()
    const { data } = await owner.query('virtualServers.list')
    expect(data).toContainEqual(
      expect.objectContaining({ spec: expect.objectContaining({ name: 'research', mode: 'searchable' }) }),
    )

    await button('Edit research').click()
    await page.getByLabel('Title').fill('Research, the second')
    await button('Save').click()
    await page.getByRole('row').filter({ hasText: 'Research, the second' }).waitFor()
    await button('Delete research').click()
    await page.getByLabel('Type “research” to confirm').fill('research')
    await page
      .locator(dialog)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await row.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('tools are renamed, described and given fixed arguments, and an agent sees that at once', async () => {
    const { wallet, owner } = await accountWithConnection()
    const { page, context, open, complaints } = await subject.visit(wallet)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await open('/gateway?tab=virtual-servers', 'Gateway')
    await button('Create virtual server').click()
    await page.getByLabel('Name', { exact: false }).first().fill('writing')
    await page.getByLabel('Members').selectOption({ label: 'Team' })
    await button('Choose tools').click()
    await button('Change echo').click()
    const member = page.getByRole('region', { name: 'Team' })
    await member.getByLabel('Name', { exact: true }).fill('say')
    await member.getByLabel('Description').fill('Says it in our words')
    await member.getByLabel('Fixed arguments').fill('["no object"]')
    await button('Save').click()
    await page.getByText('The fixed arguments of echo are no JSON object.').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await member.getByLabel('Fixed arguments').fill('{"message": "always this"}')
    await member.getByText('changed', { exact: true }).waitFor()
    await button('Save').click()
    const row = page.getByRole('row').filter({ hasText: '/mcp/v/writing' })
    await row.waitFor()

    const key = await owner.mutate('apiKeys.create', { name: 'agent', permissions: ['gateway_use'] })
    const { value } = z.object({ value: z.string() }).parse(key.data)
    const agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${value}` } }
    const address = new URL('/mcp/v/writing', subject.server.url)
    await agent.connect(new StreamableHTTPClientTransport(address, { requestInit }))
    const { tools } = await agent.listTools()
    const say = tools.find(({ name }) => name === 'say')
    expect(say).toMatchObject({ description: 'Says it in our words' })
    expect(JSON.stringify(say?.inputSchema)).not.toContain('message')
    expect((await agent.callTool({ name: 'say', arguments: {} })).content).toEqual([
      { type: 'text', text: 'always this' },
    ])
    await agent.close()

    await button('Connect an agent to writing').click()
    const connecting = page.getByRole('dialog')
    await connecting.getByText('gatehouse-writing', { exact: false }).waitFor()
    await connecting.getByText('With an API key').click()
    await connecting.getByText('YOUR_API_KEY', { exact: false }).first().waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await connecting.getByRole('button', { name: 'Close' }).last().click()
    await button('Edit writing').click()
    await member.getByText('changed', { exact: true }).waitFor()
    await button('Change echo').click()
    expect(await member.getByLabel('Fixed arguments').inputValue()).toContain('always this')
    expect(await member.getByLabel('Name', { exact: true }).inputValue()).toBe('say')
    await context.close()
  })

  test.each(looks)('the list and the drawer are in order: $name', async (look) => {
    const { wallet } = await accountWithConnection()
    const { page, context, open, complaints } = await subject.visit(wallet, look)
    await open('/gateway?tab=virtual-servers', 'Gateway')
    await page.getByText('built in').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await page.getByRole('button', { name: 'Create virtual server', exact: true }).click()
    await page.getByLabel('Members').selectOption({ label: 'Team' })
    await page.getByRole('region', { name: 'Team' }).waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await context.close()
  })
})

test.skipIf(!isReady)(
  'the overview names a connection whose owner is to agree, and leads to it',
  async () => {
    const wallet = createTestWallet()
    const owner = await signInAt(subject.server.url, wallet)
    const made = await owner.mutate('connections.create', { serviceId: 'mcpservers:notes', auth: 'oauth' })
    const { id } = z.object({ id: z.string() }).parse(made.data)
    const { page, context, open, complaints } = await subject.visit(wallet)
    await open('/', 'Overview')
    await page.getByRole('link', { name: '1 connection waits for you to agree at its tool server' }).click()
    await page.getByRole('table', { name: 'Saved connections' }).getByText('Notes').first().waitFor()
    await open(`/gateway/connect/${id}`, 'Connect a tool server')
    const places = page.getByRole('navigation', { name: 'Main' })
    expect(await places.locator('[aria-current=page]').allInnerTexts()).toEqual(['Gateway'])
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await context.close()
  },
)

describe.skipIf(!isReady)('policies of tool calls', () => {
  test('one is added, says what is wrong at its field, decides calls that are tried, and is removed', async () => {
    const { wallet } = await accountWithConnection()
    const { page, context, open, complaints } = await subject.visit(wallet)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const row = page.getByRole('row').filter({ hasText: 'Team' })
    await open('/gateway?tab=policies', 'Gateway')
    await page.getByText('Set by the file of the installation').waitFor()
    await button('Show').click()
    await page.getByRole('dialog').getByText('"wipe_*"', { exact: false }).waitFor()
    await button('Close').last().click()

    await button('Add policy').click()
    await page.getByLabel('Denied tools').fill('delete_*')
    await button('Add limit').click()
    await button('Save policy').click()
    await page.getByText('Choose whose calls it is for.').waitFor()
    await page.getByText('Name a tool, or a pattern such as delete_*.').waitFor()
    await page.getByText('A whole number from 1 to 1000000000000.').waitFor()
    await page.getByLabel('For the calls of').selectOption({ label: 'Connection “Team”' })
    await page.getByLabel('Tools of limit 1').fill('send_*')
    await page.getByLabel('Calls of limit 1: at most').fill('10')
    await button('Add schema').click()
    await page.getByLabel('Tools of schema 1').fill('send_mail')
    await page.getByLabel('JSON Schema 1').fill('{"$ref": "#"}')
    await button('Save policy').click()
    const schemaErrors = page.getByText('Has a keyword that is not taken', { exact: false })
    await schemaErrors.waitFor()
    expect(await page.getByLabel('JSON Schema 1').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByText('It was not saved').count()).toBe(0)
    await page.getByLabel('JSON Schema 1').fill('{"required": ["to"]}')
    await button('Save policy').click()
    await row.getByText('send_*: 10 per hour').waitFor()

    const tryCall = async (tool: string, args: string) => {
      await page.getByLabel('Tool', { exact: false }).and(page.getByPlaceholder('delete_repo')).fill(tool)
      await page.getByLabel('Arguments as JSON').fill(args)
      await button('Try it').click()
    }
    await page.getByLabel('Tool server').selectOption({ label: 'Team – your connection' })
    await page.getByLabel('Called with').selectOption({ label: 'API key “Research agent”' })
    await tryCall('Delete_Repo', '')
    await page.getByText('It would be refused: policy of the connection, denied tools').waitFor()
    await page.getByText('This tool is denied by the policy of this connection', { exact: false }).waitFor()
    await tryCall('wipe_disk', '')
    await page.getByText('It would be refused: policy of the installation, denied tools').waitFor()
    await tryCall('send_mail', '{}')
    await page.getByText('It would be refused: policy of the connection, arguments 1').waitFor()
    await tryCall('send_mail', JSON.stringify({ to: 'x'.repeat(9_000) })) // longer than an address may be
    await page.getByText('It takes 1 of 10 per hour (policy of the connection, limit 1).').waitFor()

    await button('Actions of the policy of “Team”').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await button('Remove limit 1').click()
    await button('Save policy').click()
    await row.getByText('send_*: 10 per hour').waitFor({ state: 'detached' })
    await button('Actions of the policy of “Team”').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await button('Remove policy').click()
    await row.waitFor({ state: 'detached' })
    await tryCall('delete_repo', '')
    await page.getByText('It would be allowed').waitFor()
    expect(complaints).toEqual([expect.stringContaining('422')])
    await context.close()
  }, 60_000)

  test.each([...looks])(
    'in $name: the list, the drawer with mistakes, what is removed, and a call that is tried',
    async (look) => {
      const { wallet, owner, connectionId } = await accountWithConnection()
      const tools = ['send_*', 'mcpservers:acme/transfer']
      await owner.mutate('toolPolicies.save', {
        subject: { level: 'connection', id: connectionId },
        policy: {
          allow: ['get_*', ...tools],
          readOnly: true,
          limits: [{ tools, calls: 10, period: 'hour' }],
          prices: [{ tools, credits: 5 }],
          credits: { units: 100, period: 'day' },
          arguments: [{ tools, schema: { required: ['to'] } }],
        },
      })
      const { page, context, open, complaints } = await subject.visit(wallet, look)
      const judge = async (part?: string) =>
        expect(await wrongsOn(page, complaints, part)).toEqual(nothingWrong)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await open('/gateway?tab=policies', 'Gateway')
      await page.getByText('100 per day').waitFor()
      await page.getByLabel('Tool server').selectOption({ label: 'Open Tools' })
      await page.getByPlaceholder('delete_repo').fill('wipe_disk')
      await button('Try it').click()
      await page.getByText('It would be refused', { exact: false }).waitFor()
      await judge()
      await button('Actions of the policy of “Team”').click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByLabel('Credits of price 1').fill('1000')
      await page.getByLabel('JSON Schema 1').fill('{')
      await button('Save policy').click()
      await page.getByText('Is more than the limit of 100 credits', { exact: false }).waitFor()
      await page.getByText('Not JSON', { exact: false }).waitFor()
      await judge(dialog)
      await closeDialog(page)
      await button('Actions of the policy of “Team”').click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('dialog').waitFor()
      await judge(dialog)
      await closeDialog(page)
      await button('Show').click()
      await page.getByRole('dialog').waitFor()
      await judge(dialog)
      await context.close()
    },
    60_000,
  )
})

describe.skipIf(!isReady)('while another process does not answer', () => {
  test.each([...looks])(
    'in $name: the sessions of the process are listed, and that others are missing is said',
    async (look) => {
      const { page, context, open, complaints } = await subject.visit(subject.operator, look)
      await open('/gateway?tab=sessions', 'Gateway')
      await page.getByText('1 session of all accounts', { exact: false }).waitFor()
      expect(await page.getByText('This list is not complete').count()).toBe(0)
      await testbed.database.sql`
        INSERT INTO nodes (id, url, version, started_at, seen_at)
        VALUES ('silent', 'http://127.0.0.1:9', '1.0.0', now(), now() + interval '1 hour')`
      try {
        await waitUntil('it is known', async () => {
          await page.reload()
          await page.getByRole('row').filter({ hasText: 'Streamable HTTP' }).first().waitFor()
          return (await page.getByText('Sessions of 1 of 2 processes are missing').count()) > 0
        })
        expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      } finally {
        await testbed.database.sql`DELETE FROM nodes WHERE id = 'silent'`
      }
      const unreached = () => subject.server.metric('internal_nodes_unreachable')
      await waitUntil('it is forgotten', async () => (await unreached()) === 0)
      await context.close()
    },
    60_000,
  )
})
