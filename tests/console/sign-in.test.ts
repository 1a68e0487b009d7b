import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { ada, startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { excessWidth, looks, startConsole, violationsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { needs } from '../support/needs.ts'
import { providerEnvironment } from '../support/provider-environment.ts'
import { covers } from '../support/covers.ts'

const isReady = needs('chromium-headless-shell')
const title = 'Sign in to Gatehouse'

const foxButton = (page: Page) => page.getByRole('button', { name: 'Fox Wallet' })
const throwawayButton = (page: Page) => page.getByRole('button', { name: 'Try with a throwaway wallet' })
const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' })
const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Signed in as' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: title }).waitFor()
}
const providers = [
  { name: 'GitHub', shownAs: ada.login },
  { name: 'Google', shownAs: ada.name },
  { name: 'Kestrel ID', shownAs: ada.name },
]
/** The id of the account that is signed in. */
const accountId = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const answer = await (await fetch('/trpc/accounts.me')).json()
    return answer.result.data.id
  })

describe.skipIf(!isReady)('signing in', () => {
  let provider: TestIdentityProvider
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    provider = await startIdentityProvider()
    subject = await startConsole('', providerEnvironment(provider), [provider.url])
  })
  afterAll(async () => {
    await subject.stop()
    await provider.stop()
  })

  describe.each([...looks])('$name', (look) => {
    test('every state of the page is clear, fits, and can be used by everybody', async () => {
      const { page, open, complaints } = await subject.visit(null, look)
      const fox = await injectWallet(page, createTestWallet())
      await open('/sign-in', title)
      await foxButton(page).waitFor()
      expect(await violationsOn(page)).toEqual([])
      fox.answerWith({ code: 4001 })
      await foxButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'You declined in Fox Wallet' }).waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
    })

    test('without a wallet it says what to do', async () => {
      const { page, open, complaints } = await subject.visit(null, look)
      await open('/sign-in?problem=session_ended', title)
      await page.getByText('No wallet found in this browser').waitFor()
      await page.getByText('Your session has ended').waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
    })
  })

  describe('with a wallet', () => {
    test('the wallet signs, and one is where one wanted to go', async () => {
      covers('sign-in-wallet', 'sign-in-no-passwords')
      const { page, complaints } = await subject.visit(null)
      const fox = await injectWallet(page, createTestWallet())
      await page.goto('/settings')
      await page.waitForURL('**/sign-in?returnTo=/settings')
      expect(await page.locator('input[type=password]').count()).toBe(0)
      await foxButton(page).click()
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
      expect(fox.asked).toEqual(['eth_requestAccounts', 'eth_chainId', 'personal_sign'])
      expect(await page.title()).toBe('Settings · Gatehouse')
      expect(complaints).toEqual([])
    })

    test('the keyboard is enough', async () => {
      const { page, open } = await subject.visit(null)
      await injectWallet(page, createTestWallet())
      await open('/sign-in', title)
      await foxButton(page).waitFor()
      await page.keyboard.press('Tab')
      expect(await foxButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await overview(page).waitFor()
      expect(await overview(page).evaluate((heading) => heading === document.activeElement)).toBe(true)
    })

    test.each([
      [4001, 'You declined in Fox Wallet'],
      [4100, 'Fox Wallet is locked'],
      [-32_002, 'Fox Wallet has a request open already'],
      [-32_603, 'Fox Wallet did not answer as a wallet should'],
    ])('one that answers with %p can be tried again', async (code, text) => {
      const { page, open, complaints } = await subject.visit(null)
      const fox = await injectWallet(page, createTestWallet())
      fox.answerWith({ code })
      await open('/sign-in', title)
      await foxButton(page).click()
      await page.getByRole('alert').filter({ hasText: text }).waitFor()
      fox.answerWith('sign')
      await foxButton(page).click()
      await overview(page).waitFor()
      expect(complaints).toEqual([])
    })

    test('an icon that is elsewhere is not asked for, and a wallet announced twice is shown once', async () => {
      const { page, open, complaints } = await subject.visit(null)
      await injectWallet(page, createTestWallet(), { icon: 'https://tracker.example/icon.png' })
      await injectWallet(page, createTestWallet(), { name: 'Second Wallet' })
      await open('/sign-in', title)
      await page.getByRole('button', { name: 'Second Wallet' }).waitFor()
      expect(await foxButton(page).count()).toBe(1)
      expect(await page.locator('img').count()).toBe(1)
      expect(complaints).toEqual([])
    })

    test('one does not end up on another site', async () => {
      const { page, open } = await subject.visit(null)
      await injectWallet(page, createTestWallet())
      await open('/sign-in?returnTo=//evil.example.net', title)
      await foxButton(page).click()
      await overview(page).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    })

    test('whoever is signed in already goes on at once', async () => {
      const { page } = await subject.visit(subject.operator)
      await page.goto('/sign-in?returnTo=/settings')
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    })
  })

  test('a throwaway wallet is the same account each time, until it is forgotten', async () => {
    const { page, open, complaints } = await subject.visit(null)
    const enter = async (): Promise<string> => {
      await throwawayButton(page).click()
      await overview(page).waitFor()
      return accountId(page)
    }
    await open('/sign-in', title)
    const first = await enter()
    await signOut(page)
    await page.getByText('This browser keeps the key of your throwaway wallet').waitFor()
    expect(await enter()).toBe(first)
    await signOut(page)
    await page.getByRole('button', { name: 'Forget it' }).click()
    expect(await enter()).not.toBe(first)
    expect(complaints).toEqual([])
  })

  test.each(providers)('at $name one confirms and comes back', async ({ name, shownAs }) => {
    covers('sign-in-code-hosting', 'sign-in-web-search-company', 'sign-in-provider-confirmation')
    const { page, open, complaints } = await subject.visit(null)
    await open('/sign-in?returnTo=/settings', title)
    const visited: string[] = []
    page.on('request', (request) => visited.push(new URL(request.url()).origin))
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(visited).toContain(provider.url)
    await page.getByRole('button', { name: `Signed in as ${shownAs}` }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a provider that fails brings one back with what to do', async () => {
    provider.answerTokensWith(500)
    try {
      const { page, open } = await subject.visit(null)
      await open('/sign-in', title)
      await page.getByRole('button', { name: 'Continue with GitHub' }).click()
      await page.getByRole('alert').filter({ hasText: 'The provider did not tell who you are' }).waitFor()
      expect(await violationsOn(page)).toEqual([])
    } finally {
      provider.answerTokensWith(200)
    }
  })

  test.each([...looks])(
    'a way back that is good no longer says so, and one signs in from there: $name',
    async (look) => {
      covers('threat-34')
      const { page, complaints } = await subject.visit(null, look)
      await page.goto(await usedWayBack())
      await page.getByRole('alert').filter({ hasText: 'took too long or was opened in another' }).waitFor()
      expect(page.url()).toEndWith('/sign-in?problem=sign_in_over')
      const again = page.getByRole('button', { name: 'Continue with GitHub' })
      await again.waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect(await excessWidth(page)).toBe(0)
      // The browser itself says which status the page had.
      expect(complaints.filter((line) => !line.includes('status of 400'))).toEqual([])
      await again.click()
      await overview(page).waitFor()
    },
  )

  test('whoever is signed in by then goes on, and is told', async () => {
    const { page } = await subject.visit(subject.operator)
    await page.goto(await usedWayBack())
    await overview(page).waitFor()
    await page.getByText('You are signed in. What you began at the provider').waitFor()
  })

  /** The address with which a provider sent another browser back, and which that browser has used. */
  async function usedWayBack(): Promise<string> {
    const { page, open } = await subject.visit(null)
    const back = page.waitForRequest('**/auth/callback/github?*')
    await open('/sign-in', title)
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await overview(page).waitFor()
    return (await back).url()
  }
})
