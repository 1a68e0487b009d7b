import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { excessWidth, looks, startConsole, violationsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Visitor } from '../../scripts/world/console-under-test.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { needs } from '../support/needs.ts'
import { providerEnvironment } from '../support/provider-environment.ts'

const isReady = needs('chromium-headless-shell')

/** The server prints it when it is ready already. */
async function setupLinkOf({ server }: ConsoleUnderTest): Promise<string> {
  const printed = (): string | undefined => /http:\S+#setup=\S+(?=\s)/.exec(server.output())?.[0]
  await waitUntil('the server prints a setup link', () => printed() !== undefined)
  return printed() ?? ''
}

const foxButton = (page: Page) => page.getByRole('button', { name: 'Fox Wallet' })
const toast = (page: Page) =>
  page.getByText('You are the operator of this installation now.', { exact: true })
const spent = (page: Page) => page.getByText('This setup link is no longer valid')
const auditLog = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' })

describe.skipIf(!isReady)('the setup link', () => {
  let provider: TestIdentityProvider
  let testing: TestDatabase
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    provider = await startIdentityProvider()
    testing = await testDatabase()
    const environment = {
      GATEHOUSE_OPERATORS: '',
      DATABASE_URL: testing.url,
      ...providerEnvironment(provider),
    }
    subject = await startConsole('', environment, [provider.url])
  })
  /** Without an operator the server prints a new link at its start. */
  afterEach(async () => {
    for (const context of subject.browser.contexts()) await context.close()
    const claims = await testing.database.sql`UPDATE accounts SET role = 'user' WHERE role = 'operator'`
    if (claims.count > 0) await subject.restart()
  })
  afterAll(async () => {
    await subject.stop()
    await testing.drop()
    await provider.stop()
  })

  async function openLink(visitor: Visitor): Promise<void> {
    await visitor.page.goto(await setupLinkOf(subject))
    await visitor.page.getByText('The first to sign in here becomes the operator').waitFor()
  }

  test('makes whoever signs in first the operator, once, and its secret leaves the address bar at once', async () => {
    for (const look of looks) {
      const visitor = await subject.visit(null, look)
      await openLink(visitor)
      expect(visitor.page.url()).toBe(`${subject.server.url}/sign-in`)
      expect(await violationsOn(visitor.page)).toEqual([])
      expect(await excessWidth(visitor.page)).toBe(0)
      await visitor.context.close()
    }

    const first = await subject.visit(null)
    await injectWallet(first.page, createTestWallet())
    await openLink(first)
    await foxButton(first.page).click()
    await toast(first.page).waitFor()
    await auditLog(first.page).waitFor()
    expect(first.complaints).toEqual([])
    await first.page.goBack()
    expect(first.page.url()).not.toContain('setup')

    const second = await subject.visit(null)
    await injectWallet(second.page, createTestWallet())
    await second.page.goto(await setupLinkOf(subject))
    await spent(second.page).waitFor()
    expect(await violationsOn(second.page)).toEqual([])
    await foxButton(second.page).click()
    await second.page.getByRole('button', { name: 'To the console' }).click()
    await second.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await auditLog(second.page).count()).toBe(0)
    expect(second.complaints).toEqual([])
  })

  test('survives the way to a provider and back', async () => {
    const visitor = await subject.visit(null)
    await openLink(visitor)
    await visitor.page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await toast(visitor.page).waitFor()
    await auditLog(visitor.page).waitFor()
    expect(visitor.complaints).toEqual([])
  })

  test('that somebody else used in the meantime is explained after the sign-in', async () => {
    const [slow, quick] = [await subject.visit(null), await subject.visit(null)]
    for (const visitor of [slow, quick]) {
      await injectWallet(visitor.page, createTestWallet())
      await openLink(visitor)
    }
    await foxButton(quick.page).click()
    await toast(quick.page).waitFor()
    await foxButton(slow.page).click()
    await spent(slow.page).waitFor()
    expect(await violationsOn(slow.page)).toEqual([])
  })

  test('claims at once when it is pasted into a tab that is open, before or after the sign-in', async () => {
    const { page, open, complaints } = await subject.visit(null)
    await injectWallet(page, createTestWallet())
    await open('/sign-in', 'Sign in to Gatehouse')
    await page.goto(await setupLinkOf(subject)) // only the part after # differs, so the page stays
    await page.getByText('The first to sign in here becomes the operator').waitFor()
    expect(page.url()).toBe(`${subject.server.url}/sign-in`)
    await foxButton(page).click()
    await toast(page).waitFor()
    expect(complaints).toEqual([])
  })

  test('claims at once for whoever is signed in already', async () => {
    const { page, complaints } = await signedIn()
    await page.goto(await setupLinkOf(subject))
    await toast(page).waitFor()
    await auditLog(page).waitFor()
    expect(page.url()).toBe(`${subject.server.url}/`)
    expect(complaints).toEqual([])
  })

  test('can be pasted on the overview, which offers that while nobody is the operator', async () => {
    const { page, complaints } = await signedIn()
    const field = page.getByLabel('Setup link')
    await field.fill('http://127.0.0.1/')
    await page.getByRole('button', { name: 'Become the operator' }).click()
    await page.getByText('The setup link ends in #setup= and a secret').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await field.fill(await setupLinkOf(subject))
    await page.getByRole('button', { name: 'Become the operator' }).click()
    await toast(page).waitFor()
    await auditLog(page).waitFor()
    await field.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  async function signedIn(): Promise<Visitor> {
    const visitor = await subject.visit(null)
    await injectWallet(visitor.page, createTestWallet())
    await visitor.open('/sign-in', 'Sign in to Gatehouse')
    await foxButton(visitor.page).click()
    await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return visitor
  }

  test('is what the page asks for while nobody is an operator', async () => {
    const { page, open } = await subject.visit(null)
    await open('/sign-in', 'Sign in to Gatehouse')
    await page.getByText('This installation has no operator yet').waitFor()
    expect(await violationsOn(page)).toEqual([])
  })
})
