import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { ada, startIdentityProvider } from '../../scripts/world/identity-provider.ts'
import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { excessWidth, looks, startConsole, violationsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { ageSessions } from '../support/aged-sessions.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { needs } from '../support/needs.ts'
import { button, card, toast } from '../support/page.ts'
import { providerEnvironment } from '../support/provider-environment.ts'
import { covers } from '../support/covers.ts'

const isReady = needs('chromium-headless-shell')

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const waysIn = (page: Page) => card(page, 'Ways to sign in').getByRole('listitem')
const foxIn = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Fox Wallet' })

const switcher = (page: Page) => page.getByRole('button', { name: /^You act for / })
const pageTitle = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function makeTeam(page: Page, name: string): Promise<void> {
  await button(page, 'New team').click()
  await dialog(page, 'New team').getByLabel('Name').fill(name)
  await button(page, 'Create team').click()
  await pageTitle(page, name).waitFor()
  expect(await page.title()).toBe(`${name} · Gatehouse`)
}

async function removeTheOther(founder: Page): Promise<void> {
  await founder.reload()
  await founder.getByRole('button', { name: /^Remove / }).click()
  await dialog(founder, /^Remove /)
    .getByRole('button', { name: 'Remove' })
    .click()
  await founder.getByText('is no longer in the team').first().waitFor()
}

async function invite(page: Page, role: string): Promise<string> {
  await button(page, 'Invite').click()
  await dialog(page, 'Invite a member').getByLabel('Role').selectOption(role)
  await button(page, 'Create link').click()
  const link = await dialog(page, 'Invite a member').getByText('#invitation=').textContent()
  await button(page, 'Close').last().click()
  return link?.trim() ?? ''
}

describe.skipIf(!isReady)('settings', () => {
  let testing: TestDatabase
  let provider: TestIdentityProvider
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    testing = await testDatabase()
    provider = await startIdentityProvider()
    const environment = { DATABASE_URL: testing.url, ...providerEnvironment(provider) }
    subject = await startConsole('', environment, [provider.url])
  })
  afterAll(async () => {
    await subject.stop()
    await provider.stop()
    await testing.drop()
  })

  const stored = async (): Promise<string> =>
    JSON.stringify(await testing.database.sql`SELECT row_to_json(a)::text AS row FROM accounts a`)

  describe.each([...looks])('$name', (look) => {
    test('every part and dialog is clear, fits, and can be used by everybody', async () => {
      const wallet = subject.operator
      const { page, open, complaints } = await subject.visit(wallet, look)
      await injectWallet(page, wallet)
      await open('/settings', 'Settings')
      await page.getByText('This one').waitFor()
      await card(page, 'Installation').getByText('PostgreSQL').waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect(await excessWidth(page)).toBe(0)

      await button(page, 'Share with operators').click()
      await page.getByText('A name, an e-mail address, or both').waitFor()
      expect(await page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
      expect(await violationsOn(page)).toEqual([])

      await button(page, 'Link another').click()
      await dialog(page, 'Link another way to sign in').waitFor()
      expect(await violationsOn(page, '[role=dialog]')).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
    })
  })

  test('contact details are shared only by choice, and deleted when withdrawn', async () => {
    covers('sign-in-wallet-privacy')
    const { page, open, complaints } = await subject.visit(createTestWallet())
    await open('/settings', 'Settings')
    await page.getByLabel('Name').fill('Grace H.')
    await page.getByLabel('E-mail address').fill('grace')
    await button(page, 'Share with operators').click()
    await page.getByText('An address such as ada@example.org').waitFor()
    expect(await stored()).not.toContain('Grace H.')

    await page.getByLabel('E-mail address').fill('grace@example.org')
    await button(page, 'Share with operators').click()
    await toast(page, 'Your contact details are shared with the operators.').waitFor()
    await page.getByRole('button', { name: 'Signed in as Grace H.' }).waitFor()
    expect(await stored()).toContain('grace@example.org')

    await button(page, 'Withdraw and delete').click()
    await toast(page, 'Your contact details are deleted.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    expect(await stored()).not.toContain('grace@example.org')
    expect(complaints).toEqual([])
  })

  test('another wallet and a provider are linked, and removed again after a new proof', async () => {
    const [first, second] = [createTestWallet(), createTestWallet()]
    const { page, open, complaints } = await subject.visit(first)
    const fox = await injectWallet(page, second)
    await open('/settings', 'Settings')
    await page.getByText('This is the only way into your account').waitFor()
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)

    await button(page, 'Link another').click()
    await foxIn(page).click()
    await toast(page, 'The wallet is linked.').waitFor()
    expect(await waysIn(page).count()).toBe(2)

    provider.signInAs({ ...ada, id: 7_001, login: 'grace' })
    await button(page, 'Link another').click()
    await button(page, 'Continue with GitHub').click()
    await toast(page, 'The identity was linked to your account.').waitFor()
    await page.waitForURL('**/settings')
    expect(await waysIn(page).count()).toBe(3)

    await ageSessions(testing.database, page)
    await button(page, 'Remove GitHub grace').click()
    await dialog(page, 'Remove GitHub grace?').getByRole('button', { name: 'Remove' }).click()
    await dialog(page, 'Confirm that it is you').waitFor()
    expect(await violationsOn(page, '[role=dialog]')).toEqual([])
    fox.choose(createTestWallet())
    await foxIn(page).click()
    await page.getByRole('alert').filter({ hasText: 'which is not a wallet of this account' }).waitFor()
    fox.choose(first)
    await foxIn(page).click()
    await toast(page, 'GitHub grace is removed.').waitFor()
    expect(await waysIn(page).count()).toBe(2)
    expect(complaints).toEqual([
      'Failed to load resource: the server responded with a status of 401 (Unauthorized)',
    ])
  })

  test('whoever does not confirm has changed nothing', async () => {
    const { page, open } = await subject.visit(createTestWallet())
    await open('/settings', 'Settings')
    await ageSessions(testing.database, page)
    await page.reload()
    await button(page, 'Link another').click()
    await dialog(page, 'Confirm that it is you').waitFor()
    await page.keyboard.press('Escape')
    await toast(page, 'Nothing was done: you did not confirm who you are.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('one confirms at a provider, and comes back', async () => {
    provider.signInAs({ ...ada, id: 7_002, login: 'joan' })
    const { page, complaints } = await subject.visit(null)
    await page.goto('/sign-in?returnTo=/settings')
    await button(page, 'Continue with GitHub').click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await ageSessions(testing.database, page)
    await page.reload()
    await button(page, 'Link another').click()
    await dialog(page, 'Confirm that it is you').waitFor()

    provider.signInAs({ ...ada, id: 7_003, login: 'somebody-else' })
    await button(page, 'Continue with GitHub').click()
    await toast(
      page,
      'This identity is not one of your account, so it does not confirm who you are.',
    ).waitFor()
    await page.waitForURL('**/settings')

    provider.signInAs({ ...ada, id: 7_002, login: 'joan' })
    await button(page, 'Link another').click()
    await button(page, 'Continue with GitHub').click()
    await toast(page, 'Confirmed. Now do once more what you were doing.').waitFor()
    await button(page, 'Link another').click()
    await dialog(page, 'Link another way to sign in').waitFor()
    expect(complaints).toEqual([])
  })

  test('an identity of another account stays where it is', async () => {
    const taken = createTestWallet()
    await subject.visit(taken)
    const { page, open } = await subject.visit(createTestWallet())
    await injectWallet(page, taken)
    await open('/settings', 'Settings')
    await button(page, 'Link another').click()
    await foxIn(page).click()
    await page.getByRole('alert').filter({ hasText: 'belongs to another account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await waysIn(page).count()).toBe(1)
  })

  test('browsers that are signed in are listed, and signed out', async () => {
    const wallet = createTestWallet()
    const visitors = await Promise.all([1, 2, 3, 4].map(() => subject.visit(wallet)))
    const [here, elsewhere] = visitors
    if (here === undefined || elsewhere === undefined) throw new Error('nobody came')
    const { page, open, complaints } = here
    await open('/settings', 'Settings')
    const others = page.getByRole('button', { name: 'Sign out A program', exact: true })
    await others.nth(2).waitFor()
    await others.first().click()
    await toast(page, 'A program is signed out.').waitFor()
    expect(await others.count()).toBe(2)
    await button(page, 'Sign out all others').click()
    await toast(page, '2 other browsers are signed out.').waitFor()
    expect(await others.count()).toBe(0)
    await elsewhere.page.goto('/settings')
    await elsewhere.page.waitForURL('**/sign-in?returnTo=/settings')
    expect(complaints).toEqual([])
  })

  test('operators set, replace and remove the client ids of authorization servers; others do not see them', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/settings', 'Settings')
    const clients = card(page, 'Client ids at authorization servers')
    await clients.getByText('No authorization server knows this installation yet.').waitFor()
    await button(page, 'Add a client id').click()
    const form = dialog(page, 'Add a client id')
    await form.getByText(`${subject.server.url}/oauth/callback`).waitFor()
    expect(await violationsOn(page, '[role=dialog]')).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Enter the client id that it gave.').waitFor()
    await form.getByLabel('Issuer (required)').fill('login')
    await form.getByLabel('Client id').fill('ours')
    await form.getByLabel('Client secret').fill('a-secret-of-theirs')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('expected the address of an authorization server').waitFor()
    const issuer = 'https://login.example.com'
    await form.getByLabel('Issuer').fill(issuer)
    await form.getByRole('button', { name: 'Save' }).click()
    await toast(page, `The client id for ${issuer} is set.`).waitFor()
    await clients.getByText('an operator', { exact: true }).waitFor()
    expect({ violations: await violationsOn(page), excess: await excessWidth(page) }).toEqual({
      violations: [],
      excess: 0,
    })

    await button(page, `Replace the client id for ${issuer}`).click()
    const replacing = dialog(page, 'Replace the client id')
    await replacing.getByLabel('Client id').fill('ours-now')
    await replacing.getByRole('button', { name: 'Save' }).click()
    await clients.getByText('ours-now').waitFor()
    expect(await page.content()).not.toContain('a-secret-of-theirs')
    const sealed = await testing.database.sql`SELECT row_to_json(r)::text AS row FROM oauth_registrations r`
    expect(JSON.stringify(sealed)).not.toContain('a-secret-of-theirs')

    subject.installation.writeFile({ oauthIssuers: [{ issuer, clientId: 'of-the-file' }] })
    await clients.getByText('of-the-file').waitFor()
    expect(await button(page, `Replace the client id for ${issuer}`).count()).toBe(0)
    subject.installation.writeFile({})
    await button(page, `Remove the client id for ${issuer}`).click()
    await toast(page, `The client id for ${issuer} is removed.`).waitFor()
    const other = await subject.visit(createTestWallet())
    await other.open('/settings', 'Settings')
    await other.page.getByText('This one').waitFor()
    expect(await card(other.page, 'Client ids at authorization servers').count()).toBe(0)
    expect(complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
  })

  test('operators see what runs here and what is wrong with the file; others do not', async () => {
    const { page, open } = await subject.visit(subject.operator)
    subject.installation.writeFile('services:\n  - nonsense: true\n')
    await open('/settings', 'Settings')
    await page.getByText('The file has errors').waitFor()
    expect(await violationsOn(page)).toEqual([])
    const installation = card(page, 'Installation')
    await installation.getByText(subject.server.url).first().waitFor()
    await installation.getByText('Offered').nth(1).waitFor()
    const other = await subject.visit(createTestWallet())
    await other.open('/settings', 'Settings')
    await other.page.getByText('This one').waitFor()
    expect(await card(other.page, 'Installation').count()).toBe(0)
  })

  describe('teams', () => {
    test.each([...looks])('$name: the team, its switcher and its invitation', async (look) => {
      const { page, open, complaints } = await subject.visit(createTestWallet(), look)
      await open('/settings', 'Settings')
      await makeTeam(page, 'Kestrel Ops')
      const link = await invite(page, 'viewer')
      await card(page, 'Invitations').getByText('Whoever has the link').waitFor()
      expect([await violationsOn(page), await excessWidth(page)]).toEqual([[], 0])
      if (look.width < 1024) await page.getByRole('button', { name: 'Menu' }).click()
      await switcher(page).click()
      await page.getByRole('menuitemradio', { name: 'Your own account', checked: true }).waitFor()
      expect(await violationsOn(page, '[role=menu]')).toEqual([])
      await page.getByRole('menuitemradio', { name: 'Kestrel Ops' }).click()
      await pageTitle(page, 'Overview').waitFor()
      await page.getByText('Kestrel Ops').filter({ visible: true }).first().waitFor()
      expect([await violationsOn(page), await excessWidth(page)]).toEqual([[], 0])
      const guest = await subject.visit(createTestWallet(), look)
      await guest.page.goto(link)
      await pageTitle(guest.page, 'Join Kestrel Ops').waitFor()
      expect([await violationsOn(guest.page), await excessWidth(guest.page)]).toEqual([[], 0])
      expect([...complaints, ...guest.complaints]).toEqual([])
    })

    test('joined by its link, a team is looked at by a viewer, who loses it when they are removed', async () => {
      const founder = await subject.visit(createTestWallet())
      await founder.open('/settings', 'Settings')
      await makeTeam(founder.page, 'Merlin')
      const link = await invite(founder.page, 'viewer')

      const nobody = await subject.visit(null)
      await nobody.page.goto(link)
      await nobody.page.waitForURL('**/sign-in?returnTo=/join-team')
      const { page } = await subject.visit(createTestWallet())
      await page.goto(link)
      await button(page, 'Join the team').click()
      await pageTitle(page, 'Overview').waitFor()
      expect(await switcher(page).textContent()).toContain('Merlin')
      await page.goto('/query-keys')
      await page.getByText('In this team you are a viewer').waitFor()
      expect(await button(page, 'Create query key').first().isDisabled()).toBe(true)
      await page.goto('/gateway?tab=connections')
      expect(await button(page, 'Save connection').isDisabled()).toBe(true)

      const late = await subject.visit(createTestWallet())
      await late.page.goto(link)
      await late.page.getByText('This invitation was used already').waitFor()
      await late.page.getByText('Owners and admins of the team make new links').waitFor()

      await removeTheOther(founder.page)
      await page.getByRole('link', { name: 'Query keys' }).click()
      await page.getByText('You are no longer a member of the team').first().waitFor()
      expect(await switcher(page).isVisible()).toBe(false)
      await page.goto('/query-keys')
      await button(page, 'Create query key').first().waitFor()
      expect(await page.getByText('In this team you are').isVisible()).toBe(false)
    })

    test('what was filled in for a team is saved for no other account when somebody is removed from it', async () => {
      const founder = await subject.visit(createTestWallet())
      await founder.open('/settings', 'Settings')
      await makeTeam(founder.page, 'Sparrow')
      const { page } = await subject.visit(createTestWallet())
      await page.goto(await invite(founder.page, 'developer'))
      await button(page, 'Join the team').click()
      await pageTitle(page, 'Overview').waitFor()
      await page.goto('/api-keys?create=1')
      await page.getByLabel('Name (required)').fill('For the team')

      await removeTheOther(founder.page)

      const stays = page.waitForEvent('dialog')
      const save = page.getByRole('dialog').locator('button[type=submit]')
      await save.click()
      await (await stays).dismiss()
      for (const _ of ['once more', 'and again']) {
        const refused = page.waitForResponse((answer) => answer.url().includes('/trpc/apiKeys.create'))
        const asked = page.waitForEvent('dialog')
        await save.click()
        expect((await refused).status()).toBe(403)
        await (await asked).dismiss()
      }
    })
  })
})
