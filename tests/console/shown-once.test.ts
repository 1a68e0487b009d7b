import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { button, dialog, inDialog } from '../support/page.ts'

/** Secrets that the console shows once: neither a step back, a reload nor a link loses one that was not copied. */

const isReady = needs('chromium-headless-shell')

const linkTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

const places = [
  {
    secret: 'the token of a verifier',
    page: 'Verifiers',
    async make(page: Page) {
      await button(page, 'Enrol a verifier').first().click()
      await inDialog(page, 'Create token').click()
    },
    copy: 'Copy command for this machine',
  },
  {
    secret: 'the link of an invitation',
    page: 'Accounts',
    async make(page: Page) {
      await button(page, 'Invite').click()
      await inDialog(page, 'Create link').click()
    },
    copy: 'Copy Link of the invitation',
  },
  {
    secret: 'the secret of a webhook',
    page: 'Alerts',
    async make(page: Page) {
      await page.getByRole('tab', { name: 'Channels' }).click()
      await button(page, 'Add a channel and send me a test').click()
      await page.getByLabel('Type').selectOption({ label: 'Signed webhook' })
      await page.getByLabel(/^Name/).fill('hook')
      await page.getByLabel(/^Address/).fill('https://hooks.example.com/gatehouse')
      await inDialog(page, 'Add and send a test').click()
    },
    copy: 'Copy secret of the webhook',
  },
] as const

const question = (page: Page) => page.getByText('You have not copied it, and it is shown only now.')

async function reloadAsks(page: Page): Promise<boolean> {
  const asked = page.waitForEvent('dialog', { timeout: 2_000 }).then(
    async (native) => {
      await native.dismiss()
      return true
    },
    () => false,
  )
  await page.evaluate(() => void setTimeout(() => location.reload(), 0))
  return asked
}

describe.skipIf(!isReady)('a secret that is shown once', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole('', { GATEHOUSE_REVEAL_KEYS: 'off' })
  })
  afterAll(() => subject.stop())

  /** With a page before it, to which one steps back. */
  async function visit(name: string) {
    const visitor = await subject.visit(subject.operator)
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await visitor.open('/', 'Overview')
    await linkTo(visitor.page, name).click()
    await visitor.page.getByRole('heading', { level: 1, name }).waitFor()
    return visitor
  }

  test.each([...places])('$secret: closing, Back and reload ask until it is copied', async (place) => {
    const { page, context, complaints } = await visit(place.page)
    await place.make(page)
    const copy = page.getByRole('button', { name: place.copy })
    await copy.waitFor()
    await page.keyboard.press('Escape')
    await question(page).waitFor()
    expect(await wrongsOn(page, complaints, dialog)).toEqual(nothingWrong)
    await inDialog(page, 'Go back').click()
    await page.goBack()
    await question(page).waitFor()
    await inDialog(page, 'Go back').click()
    expect(await reloadAsks(page)).toBe(true)
    await copy.click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await copy.waitFor({ state: 'hidden' })
    await context.close()
  })

  test('a key where keys are not shown again: links and Back say what would be lost', async () => {
    const { page, context, complaints } = await visit('API keys')
    await button(page, 'Create API key').first().click()
    await page.getByLabel('Token name').fill('Build')
    await button(page, 'Create key').click()
    const value = page.getByRole('region', { name: 'Value of “Build”' })
    await value.waitFor()
    const asked = page.getByRole('dialog', { name: 'You have not copied the key' })

    await linkTo(page, 'Query keys').click()
    await asked.waitFor()
    expect(await wrongsOn(page, complaints, dialog)).toEqual(nothingWrong)
    await inDialog(page, 'Go back').click()
    await page.goBack()
    await asked.waitFor()
    await inDialog(page, 'Go back').click()
    expect(await reloadAsks(page)).toBe(true)
    await value.getByRole('button', { name: 'Close' }).click()
    await inDialog(page, 'Go back').click()
    await value.waitFor()

    await linkTo(page, 'Query keys').click()
    await inDialog(page, 'I have stored it').click()
    await page.getByRole('heading', { level: 1, name: 'Query keys' }).waitFor()
    await context.close()
  })

  test('a key that was copied is in good hands', async () => {
    const { page, context } = await visit('API keys')
    await button(page, 'Create API key').first().click()
    await page.getByLabel('Token name').fill('Copied')
    await button(page, 'Create key').click()
    await button(page, 'Copy key').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await context.close()
  })
})
