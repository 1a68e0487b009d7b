import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import {
  closeDialog,
  excessWidth,
  looks,
  startConsole,
  usualLook,
  violationsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Look } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'
import { makeSomeKeys } from '../support/some-api-keys.ts'
import { covers } from '../support/covers.ts'
import { loseUntilTriedAgain } from '../support/lost-calls.ts'

const isReady = needs('chromium-headless-shell')
const inDialog = '[role=dialog]'

/** As the page shows it. */
const dayOf = (daysFromNow: number): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.now() + daysFromNow * 86_400_000)

async function openFromMenu(page: Page, action: string): Promise<void> {
  await button(page, 'Actions of “Build server”').click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

describe.skipIf(!isReady)('the page of API keys', () => {
  let testing: TestDatabase
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    testing = await testDatabase()
    subject = await startConsole('', { DATABASE_URL: testing.url })
    await (await subject.visit(subject.operator)).context.close() // the first sign-in makes the account
    await makeSomeKeys(subject, testing)
  })
  afterAll(async () => {
    await subject.stop()
    await testing.drop()
  })

  async function visitKeys(look: Look) {
    const visitor = await subject.visit(subject.operator, look)
    await visitor.open('/api-keys', 'API keys')
    await visitor.page.getByText('Build server').waitFor()
    return visitor
  }

  describe.each([...looks])('$name', (look) => {
    test('the list, with a value shown and a menu open', async () => {
      const { page, context, complaints } = await visitKeys(look)
      expect(await violationsOn(page)).toEqual([])
      await button(page, 'Show the key “Build server”').click()
      await button(page, 'Hide the key “Build server”').waitFor()
      await button(page, 'Actions of “Grafana”').click()
      await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
      await context.close()
    })

    test('the drawer: filled in, with mistakes, and what comes after it', async () => {
      const { page, context, complaints } = await visitKeys(look)
      await button(page, 'Create API key').click()
      await page.getByLabel('Token name').waitFor()
      await button(page, 'Create key').click()
      await page.getByText('Give the key a name.').waitFor()
      await page.getByLabel('Allowed domains').pressSequentially('*.example.com *.com ')
      await page.getByLabel('Try an address').fill('https://shop.example.com/cart')
      await page.getByText('expected the last two parts without *').waitFor()
      expect(await violationsOn(page, inDialog)).toEqual([])

      await page.getByLabel('Token name').fill('Shop front')
      await page.getByLabel('Token Create').check()
      await button(page, 'Remove *.com').click()
      await button(page, 'Add example.com').click()
      await button(page, /^Add my address/).click()
      await button(page, '90 days').click()
      await button(page, 'Create key').click()
      await page.getByText('“Shop front” is ready to use').waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
      await context.close()
    })

    test('the dialogs that rotate and delete a key', async () => {
      const { page, context, complaints } = await visitKeys(look)
      await openFromMenu(page, 'Rotate')
      await page.getByText(/works until/).waitFor()
      expect(await violationsOn(page, inDialog)).toEqual([])
      await closeDialog(page)
      await openFromMenu(page, 'Delete')
      await page.getByText('It was last used').waitFor()
      expect(await violationsOn(page, inDialog)).toEqual([])
      await closeDialog(page)
      const focused = button(page, 'Actions of “Build server”')
      expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true)
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
      await context.close()
    })

    test('no key, nothing that matches, a list that cannot be read', async () => {
      const { page, open, context, complaints } = await subject.visit(createTestWallet(), look)
      await open('/api-keys', 'API keys')
      await page.getByText('No API key yet').waitFor()
      expect(await violationsOn(page)).toEqual([])
      await context.close()

      const visited = await visitKeys(look)
      await visited.page.getByLabel('Search keys').fill('nothing has this name')
      await visited.page.getByText('Nothing matches').waitFor()
      expect(await violationsOn(visited.page)).toEqual([])
      await button(visited.page, 'Clear the filter').click()
      await visited.page.getByText('Build server').waitFor()
      await visited.page.waitForURL('**/api-keys')
      expect([...complaints, ...visited.complaints]).toEqual([])

      await loseUntilTriedAgain(visited.page, /\/trpc\/[^?]*apiKeys\.list/)
      await visited.page.reload()
      await visited.page.getByText('This could not be loaded').waitFor()
      expect(await violationsOn(visited.page)).toEqual([])
      await button(visited.page, 'Try again').first().click()
      await visited.page.getByText('Build server').waitFor()
      await visited.context.close()
    })
  })

  test('shows creation, expiration and status of each key', async () => {
    covers('api-key-shows-creation-date', 'api-key-shows-expiration-date', 'api-key-shows-status')
    const { page, context } = await visitKeys(usualLook)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    const portal = await row('Partner portal').innerText()
    expect(portal).toContain(dayOf(-61))
    expect(portal).toContain(dayOf(120))
    const isOn = (name: string) => page.getByRole('switch', { name }).getAttribute('aria-checked')
    expect([await isOn('“Partner portal” is enabled'), await isOn('“Load test” is enabled')]).toEqual([
      'true',
      'false',
    ])
    expect(await row('Import of 2025').innerText()).toContain('Expired')
    expect(await page.getByRole('switch', { name: '“Import of 2025” has expired' }).isDisabled()).toBe(true)
    await button(page, 'Actions of “Import of 2025”').click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Make a new one like it', 'Delete'])
    await context.close()
  })
})
