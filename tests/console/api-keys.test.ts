import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { startConsole } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { ageSessions } from '../support/aged-sessions.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { clipboard, keySwitch, newValue } from '../support/key-page.ts'
import { needs } from '../support/needs.ts'
import { button, choose, rowOf, toast } from '../support/page.ts'
import { typeConfirmation } from '../support/type-confirmation.ts'
import { covers } from '../support/covers.ts'

const isReady = needs('chromium-headless-shell')

const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

async function createKey(page: Page, name: string): Promise<string> {
  await button(page, 'Create API key').first().click()
  await page.getByLabel('Token name').fill(name)
  await button(page, 'Create key').click()
  await page.getByText(`“${name}” is ready to use`).waitFor()
  return newValue(page, name)
}

describe.skipIf(!isReady)('API keys in the console', () => {
  let testing: TestDatabase
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    testing = await testDatabase()
    const environment = { DATABASE_URL: testing.url, GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' }
    subject = await startConsole('', environment)
  })
  afterAll(async () => {
    await subject.stop()
    await testing.drop()
  })

  /** What becomes of a request with a key from an address, and from a page of an origin. */
  async function use(value: string, address = '198.51.100.7', origin = 'https://shop.example.com') {
    const headers = { authorization: `Bearer ${value}`, 'x-forwarded-for': address, origin }
    const response = await fetch(`${subject.server.url}/account/api-key`, { headers })
    return response.ok ? 'accepted' : ((await response.json()) as { error: { code: string } }).error.code
  }

  async function visitKeys(wallet = createTestWallet()) {
    const visitor = await subject.visit(wallet)
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await visitor.open('/api-keys', 'API keys')
    return { ...visitor, wallet }
  }

  test('a key is made with restrictions, and refused from elsewhere', async () => {
    covers(
      'api-key-create',
      'api-key-allowed-ips',
      'api-key-allowed-domains',
      'api-key-ip-restriction',
      'api-key-domain-restriction',
      'keys-managed-after-sign-in',
    )
    const { page, complaints } = await visitKeys()
    await page.getByText('No API key yet').waitFor()
    await button(page, 'Create API key').last().click()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await page.getByLabel('Token name').fill('Shop front')
    await page.getByLabel('Token Create').check()
    await page.getByLabel('Allowed IPs').pressSequentially('198.51.100.0/24,')
    await page.getByLabel('Allowed domains').pressSequentially('*.example.com,')
    const tried = page.getByLabel('Try an address')
    await tried.fill('shop.example.com')
    await page.getByText('https://shop.example.com would be let in, by *.example.com.').waitFor()
    await tried.fill('https://example.com')
    await page.getByText('https://example.com would be refused: nothing in the list matches it.').waitFor()
    await button(page, 'Create key').click()

    await page.getByText('“Shop front” is ready to use').waitFor()
    const value = await newValue(page, 'Shop front')
    await button(page, 'Copy key').click()
    await page.getByText('Copied').first().waitFor()
    expect(await clipboard(page)).toBe(value)
    expect(await page.getByRole('region', { name: 'command' }).innerText()).toContain(value)
    await rowOf(page, 'Shop front').waitFor()

    const outcomes = [
      await use(value),
      await use(value, '203.0.113.9'),
      await use(value, '198.51.100.7', 'https://evilexample.com'),
      await use(value, '198.51.100.7', 'https://example.com'),
    ]
    expect(outcomes).toEqual(['accepted', 'ip_not_allowed', 'domain_not_allowed', 'domain_not_allowed'])
    expect(complaints).toEqual([])
  })

  test('the command of the banner works as it stands', async () => {
    const { page } = await visitKeys()
    await createKey(page, 'Try me')
    await page.getByRole('button', { name: 'Copy command' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('curl'))
    const command = await clipboard(page)
    const [, url = ''] = /curl '([^']+)'/.exec(command) ?? []
    const [, authorization = ''] = /-H 'Authorization: ([^']+)'/.exec(command) ?? []
    const response = await fetch(url, { headers: { authorization } })
    expect(await response.json()).toMatchObject({ name: 'Try me', enabled: true })
  })

  test('a key is edited, disabled and enabled', async () => {
    covers('api-key-creating-and-editing', 'api-key-disable', 'api-key-enable')
    const { page, complaints } = await visitKeys()
    const value = await createKey(page, 'CI')
    await choose(page, 'CI', 'Edit')
    await page.getByLabel('Token name').fill('Build server')
    await page.getByLabel('Statistics Read').check()
    await page.getByLabel('Allowed IPs').pressSequentially('198.51.100.0/24 ')
    await button(page, '7 days').click()
    await button(page, 'Save').click()
    await toast(page, '“Build server” was saved and holds from now on.').waitFor()
    expect(await rowOf(page, 'Build server').innerText()).toContain('Statistics Read')
    expect([await use(value), await use(value, '203.0.113.9')]).toEqual(['accepted', 'ip_not_allowed'])

    await keySwitch(page, 'Build server').click()
    await toast(page, '“Build server” is refused from now on.').waitFor()
    expect(await use(value)).toBe('unauthorized')
    await keySwitch(page, 'Build server').click()
    await toast(page, '“Build server” works from now on.').waitFor()
    expect(await use(value)).toBe('accepted')
    expect(complaints).toEqual([])
  })

  test('a switch that the server refuses goes back', async () => {
    const { page } = await visitKeys()
    await createKey(page, 'CI')
    await page.route('**/trpc/apiKeys.setEnabled*', (route) => route.abort())
    await keySwitch(page, 'CI').click()
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
    expect(await keySwitch(page, 'CI').getAttribute('aria-checked')).toBe('true')
  })

  test('a value is hidden, shown for a while, and copied without being shown', async () => {
    covers('api-key-value-hidden')
    const { page, complaints } = await visitKeys()
    const value = await createKey(page, 'CI')
    await button(page, 'Close').click()
    const shown = rowOf(page, 'CI').locator('code')
    const hint = `gak_…${value.slice(-4)}`
    expect(await shown.innerText()).toBe(hint)

    await button(page, 'Copy the key “CI”').click()
    await rowOf(page, 'CI').getByText('Copied').waitFor({ state: 'attached' })
    expect([await clipboard(page), await shown.innerText()]).toEqual([value, hint])

    await button(page, 'Show the key “CI”').click()
    await page.getByText(value).waitFor()
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.getByText(value).waitFor({ state: 'hidden' })
    expect(await shown.innerText()).toBe(hint)
    expect(complaints).toEqual([])
  })

  test('whoever signed in a while ago confirms who they are before a key is shown', async () => {
    const { page, wallet } = await visitKeys()
    const value = await createKey(page, 'CI')
    await button(page, 'Close').click()
    await injectWallet(page, wallet)
    await ageSessions(testing.database, page)
    await page.reload()
    await button(page, 'Show the key “CI”').click()
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    expect(await page.getByText(value).count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Fox Wallet' }).click()
    await page.getByText(value).waitFor()
  })

  test('a key is rotated; the old value works as long as was said', async () => {
    const { page, complaints } = await visitKeys()
    const first = await createKey(page, 'CI')
    await choose(page, 'CI', 'Rotate')
    await page.getByText('24 hours').click()
    await button(page, 'Rotate key').click()
    await page.getByText('“CI” has a new value').waitFor()
    const second = await newValue(page, 'CI')
    await rowOf(page, 'CI').getByText('The old value').waitFor()
    expect([await use(first), await use(second)]).toEqual(['accepted', 'accepted'])

    await choose(page, 'CI', 'Rotate')
    await page.getByText('It ends as soon as you rotate again').waitFor()
    await page.getByText('Not at all').click()
    await button(page, 'Rotate key').click()
    await page.getByText('The old value is refused from now on.').waitFor()
    const third = await newValue(page, 'CI')
    expect([await use(first), await use(second), await use(third)]).toEqual([
      'unauthorized',
      'unauthorized',
      'accepted',
    ])
    expect(complaints).toEqual([])
  })

  test('a key is disabled in place of deleted, and deleted for good', async () => {
    covers('api-key-delete')
    const { page, complaints } = await visitKeys()
    const value = await createKey(page, 'CI')
    await choose(page, 'CI', 'Delete')
    await page.getByText('It was never used.').waitFor()
    await button(page, 'Disable instead').click()
    await toast(page, '“CI” is refused from now on.').waitFor()

    await choose(page, 'CI', 'Delete')
    expect(await button(page, 'Delete key').isDisabled()).toBe(true)
    expect(await button(page, 'Disable instead').count()).toBe(0)
    await typeConfirmation(page)
    await button(page, 'Delete key').click()
    await page.getByText('No API key yet').waitFor()
    expect(await use(value)).toBe('unauthorized')
    expect(complaints).toEqual([])
  })

  test('an entry that is no address is marked as it is typed, and refused', async () => {
    const { page } = await visitKeys()
    await button(page, 'Create API key').first().click()
    await page.getByLabel('Token name').fill('CI')
    await page.getByLabel('Allowed IPs').pressSequentially('198.51.100.7 198.051.100.7 ')
    await page.getByText(/^198\.051\.100\.7: expected an address without leading zeros/).waitFor()
    await button(page, 'Create key').click()
    await waitUntil('the field is focused', () => isFocused(page.getByLabel('Allowed IPs')))
    await button(page, 'Remove 198.051.100.7').click()
    await button(page, 'Create key').click()
    await page.getByText('“CI” is ready to use').waitFor()
  })

  test('a key is made by keyboard alone', async () => {
    const { page, complaints } = await visitKeys()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.getByText('No API key yet').waitFor()
    await page.getByRole('heading', { level: 1 }).focus()
    await press('Tab', 'Enter')
    await page.getByRole('dialog').waitFor()
    expect(await isFocused(page.getByLabel('Token name'))).toBe(true)
    await page.keyboard.type('By keyboard')
    await press('Tab', 'Tab', 'Space', 'Tab', 'Tab')
    await page.keyboard.type('198.51.100.7')
    await press('Enter', 'Tab', 'Tab')
    await page.keyboard.type('*.example.com')
    await press('Enter')
    expect(await page.getByLabel('Token Create').isChecked()).toBe(true)
    await button(page, 'Remove *.example.com').waitFor()
    await page.getByLabel('Token name').focus()
    await press('Enter')
    await page.getByText('“By keyboard” is ready to use').waitFor()
    expect(await rowOf(page, 'By keyboard').innerText()).toContain('Only from 198.51.100.7, on *.example.com')

    await button(page, 'Actions of “By keyboard”').focus()
    await press('Enter', 'ArrowDown', 'ArrowDown')
    expect(await isFocused(page.getByRole('menuitem', { name: 'Delete' }))).toBe(true)
    await press('Escape')
    expect(await isFocused(button(page, 'Actions of “By keyboard”'))).toBe(true)
    expect(complaints).toEqual([])
  })

  test('links open the drawer and filtered lists; what is filtered stands in the address', async () => {
    const { page, open, complaints } = await visitKeys()
    for (const name of ['Alpha', 'Beta']) await createKey(page, name)
    await keySwitch(page, 'Alpha').click()
    await toast(page, '“Alpha” is refused from now on.').waitFor()
    await page.goto('/api-keys?create=1')
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
    await page.waitForURL('**/api-keys')
    await open('/api-keys?state=disabled', 'API keys')
    await rowOf(page, 'Alpha').waitFor()
    expect(await rowOf(page, 'Beta').count()).toBe(0)
    await page.getByText('1 of 2 keys').waitFor()

    await page.getByLabel('State').selectOption('')
    await page.getByLabel('Search keys').fill('bet')
    await page.waitForURL('**/api-keys?search=bet')
    expect(await rowOf(page, 'Alpha').count()).toBe(0)
    await button(page, 'Name').click()
    await page.waitForURL('**/api-keys?search=bet&sort=name')
    expect(complaints).toEqual([])
  })
})
