import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { callWith } from '../../scripts/world/console-query-keys.ts'
import { startConsole } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { clipboard, keySwitch, newValue } from '../support/key-page.ts'
import { needs } from '../support/needs.ts'
import { button, choose, rowOf, toast } from '../support/page.ts'
import { typeConfirmation } from '../support/type-confirmation.ts'
import { covers } from '../support/covers.ts'

const isReady = needs('chromium-headless-shell')

const meter = (within: Locator, name: string) => within.getByRole('meter', { name })

/** Resolves with the value that the page tells of. */
async function createKey(page: Page, name: string): Promise<string> {
  await button(page, 'Create query key').first().click()
  await page.getByLabel('Name (required)').fill(name)
  await page.getByLabel('Endpoint (required)').selectOption('testnet')
  await button(page, 'Create key').click()
  await page.getByText(`“${name}” is ready to use`).waitFor()
  return newValue(page, name)
}

describe.skipIf(!isReady)('query keys in the console', () => {
  let node: Anvil
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    node = await startAnvil({
      chainId: 31_337,
      timestamp: Math.floor(Date.now() / 1000),
      blocks: { everySec: 1 },
    })
    subject = await startConsole({
      chains: { ethereum: { chainId: 31_337, genesisHash: null } },
      endpoints: [
        { name: 'testnet', chain: 'ethereum', upstreams: [{ url: node.url }] },
        { name: 'other', chain: 'ethereum', upstreams: [{ url: node.url }] },
      ],
      queryKeyTypes: ['freeRPC', 'partner'],
      queryKeyDefaults: { rateLimit: 1_000, rateLimitPeriod: 'minute' },
    })
  })
  afterAll(async () => {
    await subject?.stop()
    await node?.stop()
  })

  const use = async (value: string, calls = 1): Promise<number> =>
    (await callWith(subject.server.url, 'testnet', value, calls)).status

  async function visitKeys() {
    const visitor = await subject.visit(createTestWallet())
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await visitor.open('/query-keys', 'Query keys')
    return visitor
  }

  test('a key is made with limits and restrictions, called with, and its use is seen', async () => {
    covers('query-key-name', 'query-key-rate-limit', 'query-key-credits-limit', 'query-keys-give-access')
    const { page, context, complaints } = await visitKeys()
    await page.getByText('No query key yet').waitFor()
    await button(page, 'Create query key').last().click()
    await page.getByText('Default: 1,000 per minute').waitFor()
    await page.getByLabel('Name (required)').fill('Wallet backend')
    await page.getByLabel('Endpoint (required)').selectOption('testnet')
    await page.getByLabel('Type').selectOption('partner')
    await page.getByText('Set a limit').first().click()
    await page.getByLabel('Calls: at most').fill('40')
    await page.getByLabel('Period').selectOption('hour')
    await page.getByText('Set a limit').last().click()
    await page.getByLabel('Credits: at most').fill('5,000')
    await page.getByLabel('Period').last().selectOption('day')
    await page.getByLabel('Allowed IPs').pressSequentially('127.0.0.0/8,')
    await page.getByLabel('Allowed methods').pressSequentially('eth_*x ')
    await page.getByText(/^eth_\*x: expected a method such as eth_call/).waitFor()
    await button(page, 'Remove eth_*x').click()
    await page.getByLabel('Allowed methods').pressSequentially('eth_* ')
    await page.getByLabel('Allowed contracts').pressSequentially('vitalik.eth ')
    await page.getByText('vitalik.eth: expected 0x and 40 hexadecimal digits').waitFor()
    await button(page, 'Remove vitalik.eth').click()
    await button(page, 'Create key').click()

    await page.getByText('“Wallet backend” is ready to use').waitFor()
    const value = await newValue(page, 'Wallet backend')
    await button(page, 'Copy address').click()
    await page.getByText('Copied').first().waitFor()
    expect(await clipboard(page)).toBe(`${subject.server.url}/rpc/testnet/${value}`)
    const wallet = rowOf(page, 'Wallet backend')
    await wallet.getByText('0 of 40 per hour').waitFor()
    await wallet.getByText('0 of 5,000 per day').waitFor()
    await wallet.getByText('Only from 127.0.0.0/8, for eth_*').waitFor()
    await wallet.getByText('partner').waitFor()

    expect(await use(value, 30)).toBe(200)
    await wallet.getByText('30 of 40 per hour').waitFor()
    await wallet.getByText('600 of 5,000 per day').waitFor()
    expect(await meter(wallet, 'Calls').getAttribute('aria-valuenow')).toBe('30')
    expect(await use(value, 11)).toBe(429)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the command of the banner works as it stands', async () => {
    const { page, context } = await visitKeys()
    await createKey(page, 'Try me')
    await page.getByRole('button', { name: 'Copy command' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('curl'))
    const command = await clipboard(page)
    const [, url = ''] = /curl '([^']+)'/.exec(command) ?? []
    const [, body = ''] = /-d '([^']+)'/.exec(command) ?? []
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(await response.json()).toMatchObject({ id: 1, result: expect.stringMatching(/^0x/) })
    await context.close()
  })

  test('how to connect is shown without the key, until it is put in', async () => {
    const { page, context, complaints } = await visitKeys()
    const value = await createKey(page, 'CI')
    await button(page, 'Close').click()
    await button(page, 'Connect with “CI”').click()
    const command = page.getByRole('region', { name: 'command' })
    expect(await command.innerText()).toContain(`curl '${subject.server.url}/rpc/testnet/YOUR_KEY'`)
    await button(page, 'Copy with the key').click()
    await page.getByText('Copied').first().waitFor()
    expect(await clipboard(page)).toBe(`${subject.server.url}/rpc/testnet/${value}`)
    expect(await page.getByText(value).count()).toBe(0)

    await page.getByRole('tab', { name: 'ethers' }).click()
    await page.getByText('WebSocket', { exact: true }).click()
    await button(page, 'Put the key in').click()
    const program = page.getByRole('region', { name: 'program with ethers' })
    await program.getByText(value).waitFor()
    expect(await program.innerText()).toContain(
      `new WebSocketProvider('${subject.server.url.replace('http', 'ws')}/rpc/testnet/${value}')`,
    )
    await button(page, 'Take the key out').click()
    await program.getByText('YOUR_KEY').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a key is edited, disabled and enabled; a switch that is refused goes back', async () => {
    const { page, context, complaints } = await visitKeys()
    const value = await createKey(page, 'CI')
    await button(page, 'Close').click()
    await choose(page, 'CI', 'Edit')
    expect(await page.getByLabel('Endpoint (required)').count()).toBe(0)
    await page.getByLabel('Name (required)').fill('Build server')
    await page.getByText('Set a limit').first().click()
    await page.getByLabel('Calls: at most').fill('2')
    await button(page, 'Save').click()
    await toast(page, '“Build server” was saved and holds from now on.').waitFor()
    await rowOf(page, 'Build server').getByText('0 of 2 per minute').waitFor()
    expect([await use(value, 2), await use(value)]).toEqual([200, 429])

    await keySwitch(page, 'Build server').click()
    await toast(page, '“Build server” is refused from now on.').waitFor()
    expect(await use(value)).toBe(401)
    await page.route('**/trpc/queryKeys.setEnabled*', (route) => route.abort())
    await keySwitch(page, 'Build server').click()
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
    expect(await keySwitch(page, 'Build server').getAttribute('aria-checked')).toBe('false')
    await page.unroute('**/trpc/queryKeys.setEnabled*')
    await keySwitch(page, 'Build server').click()
    await toast(page, '“Build server” works from now on.').waitFor()
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  test('two windows edit one key: the list follows, and whoever saves last is told before', async () => {
    const { page, context, complaints } = await visitKeys()
    await createKey(page, 'CI')
    await button(page, 'Close').click()
    const other = await context.newPage()
    await other.goto('/query-keys')
    await choose(other, 'CI', 'Edit')
    await other.getByLabel('Name (required)').fill('Mine')

    await choose(page, 'CI', 'Edit')
    await page.getByLabel('Name (required)').fill('Build server')
    await button(page, 'Save').click()
    await other.getByText('This was changed elsewhere meanwhile').waitFor()
    await other.getByText('Build server', { exact: true }).waitFor() // in the list, behind the form
    expect(await other.getByLabel('Name (required)').inputValue()).toBe('Mine')
    await button(other, 'Save').click()
    await rowOf(page, 'Mine').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what was typed survives a server that is lost while it is saved', async () => {
    const { page, context } = await visitKeys()
    await createKey(page, 'CI')
    await button(page, 'Close').click()
    await choose(page, 'CI', 'Edit')
    await page.getByLabel('Name (required)').fill('Build server')
    await page.route('**/trpc/**', (route) => route.abort())
    await button(page, 'Save').click()
    await page.getByRole('dialog').getByText('The server cannot be reached', { exact: false }).waitFor()
    await page.unroute('**/trpc/**')
    await page.getByText('No connection to the server').waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Name (required)').inputValue()).toBe('Build server')
    await button(page, 'Save').click()
    await rowOf(page, 'Build server').waitFor()
    await context.close()
  })

  test('a value is hidden and shown for a while; a rotated one works as long as was said', async () => {
    const { page, context, complaints } = await visitKeys()
    const first = await createKey(page, 'CI')
    await button(page, 'Close').click()
    expect(await rowOf(page, 'CI').locator('code').innerText()).toBe(`gqk_…${first.slice(-4)}`)
    await button(page, 'Show the key “CI”').click()
    await page.getByText(first).waitFor()
    await button(page, 'Hide the key “CI”').click()
    await page.getByText(first).waitFor({ state: 'hidden' })

    await choose(page, 'CI', 'Rotate')
    await button(page, 'Rotate key').click()
    await page.getByText('“CI” has a new value').waitFor()
    const second = await newValue(page, 'CI')
    expect([await use(first), await use(second)]).toEqual([200, 200])
    await choose(page, 'CI', 'Rotate')
    await page.getByText('Not at all').click()
    await button(page, 'Rotate key').click()
    await page.getByText('The old value is refused from now on.').waitFor()
    const third = await newValue(page, 'CI')
    expect([await use(first), await use(second), await use(third)]).toEqual([401, 401, 200])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a key is disabled in place of deleted, and deleted for good', async () => {
    const { page, context, complaints } = await visitKeys()
    const value = await createKey(page, 'CI')
    await choose(page, 'CI', 'Delete')
    await page.getByText('It was never used.').waitFor()
    await button(page, 'Disable instead').click()
    await toast(page, '“CI” is refused from now on.').waitFor()
    await choose(page, 'CI', 'Delete')
    expect(await button(page, 'Delete key').isDisabled()).toBe(true)
    await typeConfirmation(page)
    await button(page, 'Delete key').click()
    await page.getByText('No query key yet').waitFor()
    expect(await use(value)).toBe(401)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what is missing or refused is said at its field', async () => {
    const { page, context } = await visitKeys()
    await button(page, 'Create query key').first().click()
    await page.getByText('Set a limit').first().click()
    await button(page, 'Create key').click()
    await page.getByText('Give the key a name.').waitFor()
    await page.getByText('Choose an endpoint.').waitFor()
    await page.getByText('A whole number from 1 to a trillion.').waitFor()
    await page.getByLabel('Name (required)').fill('CI')
    await page.getByLabel('Endpoint (required)').selectOption('other')
    await page.getByLabel('Calls: at most').fill('5')
    await page.getByLabel('Allowed IPs').pressSequentially('198.051.100.7 ')
    await button(page, 'Create key').click()
    await page.getByText(/^198\.051\.100\.7: expected an address without leading zeros/).waitFor()
    await context.close()
  })

  test('links open the drawer and filtered lists', async () => {
    const { page, open, context, complaints } = await visitKeys()
    for (const name of ['Alpha', 'Beta']) await createKey(page, name)
    await page.goto('/query-keys?create=1')
    await page.getByRole('dialog', { name: 'Create query key' }).waitFor()
    await page.waitForURL('**/query-keys')
    await open('/query-keys?state=unused&search=alp', 'Query keys')
    await rowOf(page, 'Alpha').waitFor()
    expect(await rowOf(page, 'Beta').count()).toBe(0)
    await page.getByText('1 of 2 keys').waitFor()
    await open('/query-keys?endpoint=other', 'Query keys')
    await page.getByText('Nothing matches').waitFor()
    await button(page, 'Clear the filter').click()
    await page.waitForURL('**/query-keys')
    expect(complaints).toEqual([])
    await context.close()
  })
})
