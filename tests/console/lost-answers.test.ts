import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { startConsole } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { newValue } from '../support/key-page.ts'
import { needs } from '../support/needs.ts'
import { button, choose, inDialog } from '../support/page.ts'

/** What is pressed again because the answer was lost on its way, although the server had done it. */

const isReady = needs('chromium-headless-shell')

/** The next request for this is done by the server, and its answer is lost. */
const loseAnswer = (page: Page, procedure: string): Promise<unknown> =>
  page.route(
    `**/trpc/${procedure}*`,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

async function pressTwice(page: Page, label: string): Promise<void> {
  await inDialog(page, label).click()
  await page.getByText('It is not known whether this was done').waitFor()
  await inDialog(page, label).click()
}

describe.skipIf(!isReady)('what is sent again after a lost answer', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole()
  })
  afterAll(() => subject?.stop())

  test('makes one API key, whose value works; and a rotation ends no value twice', async () => {
    const wallet = createTestWallet()
    const { page, open } = await subject.visit(wallet)
    const anna = await signInAt(subject.server.url, wallet)
    await open('/api-keys', 'API keys')
    await button(page, 'Create API key').first().click()
    await page.getByLabel('Token name').fill('CI')
    await loseAnswer(page, 'apiKeys.create')
    await pressTwice(page, 'Create key')
    await page.getByText('“CI” is ready to use').waitFor()
    const value = await newValue(page, 'CI')
    const statusOf = async (key: string) =>
      (await fetch(`${subject.server.url}/account/api-key`, { headers: { authorization: `Bearer ${key}` } }))
        .status
    expect(await statusOf(value)).toBe(200)
    expect((await anna.query('apiKeys.list')).data).toHaveLength(1)

    await choose(page, 'CI', 'Rotate')
    await loseAnswer(page, 'apiKeys.rotate')
    await pressTwice(page, 'Rotate key')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await statusOf(value)).toBe(200)
  })

  test('makes one invitation, and a second one only once the first was told', async () => {
    const { page, open } = await subject.visit(subject.operator)
    const boss = await signInAt(subject.server.url, subject.operator)
    await open('/accounts', 'Accounts')
    for (const count of [1, 2]) {
      await button(page, 'Invite').click()
      await loseAnswer(page, 'accounts.invite')
      await pressTwice(page, 'Create link')
      await page.getByRole('button', { name: 'Copy Link of the invitation' }).click()
      await inDialog(page, 'Close').last().click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect((await boss.query('accounts.invitations')).data).toHaveLength(count)
    }
  })
})
