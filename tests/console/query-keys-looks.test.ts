import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { makeSomeQueryKeys } from '../../scripts/world/console-query-keys.ts'
import {
  closeDialog,
  looks,
  nothingWrong,
  startConsole,
  usualLook,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Look } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { needs } from '../support/needs.ts'
import { button, dialog } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

async function choose(page: Page, action: string): Promise<void> {
  await button(page, 'Actions of “Wallet backend”').click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

async function fillIn(page: Page, name: string, endpoint: string, rateLimit: string): Promise<void> {
  await page.getByLabel('Name (required)').fill(name)
  await page.getByLabel('Endpoint (required)').selectOption(endpoint)
  await page.getByText('Set a limit').first().click()
  await page.getByLabel('Calls: at most').fill(rateLimit)
}

/** What is written above a bar and is wider than it. */
const wordsBeyondTheirMeter = (page: Page): Promise<string[]> =>
  page
    .getByRole('meter')
    .evaluateAll((meters) =>
      meters.flatMap(({ previousElementSibling: words }) =>
        words !== null && words.scrollWidth > words.clientWidth ? [words.textContent ?? ''] : [],
      ),
    )

describe.skipIf(!isReady)('the page of query keys', () => {
  let node: Anvil
  let testing: TestDatabase
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    node = await startAnvil({
      chainId: 31_337,
      timestamp: Math.floor(Date.now() / 1000),
      blocks: { everySec: 1 },
    })
    testing = await testDatabase()
    const chains = ['ethereum', 'base', 'polygon']
    const file = {
      chains: Object.fromEntries(chains.map((key) => [key, { chainId: 31_337, genesisHash: null }])),
      endpoints: chains.map((chain) => ({ name: chain, chain, upstreams: [{ url: node.url }] })),
      queryKeyTypes: ['freeRPC', 'partner'],
      queryKeyDefaults: { rateLimit: 100, rateLimitPeriod: 'minute' },
    }
    subject = await startConsole(file, { DATABASE_URL: testing.url })
    await (await subject.visit(subject.operator)).context.close() // the first sign-in makes the account
    await makeSomeQueryKeys(subject, testing)
    const much = { name: 'Crawler', endpoint: 'base', rate: '250000/minute', createdDaysAgo: 2 } as const
    await makeSomeQueryKeys(subject, testing, [much])
  })
  afterAll(async () => {
    await subject?.stop()
    await testing?.drop()
    await node?.stop()
  })

  async function visitKeys(look: Look) {
    const visitor = await subject.visit(subject.operator, look)
    const { page, complaints } = visitor
    await visitor.open('/query-keys', 'Query keys')
    await page.getByText('64 of 100 per hour').waitFor()
    const judge = async (part?: string) =>
      expect(await wrongsOn(page, complaints, part)).toEqual(nothingWrong)
    return { ...visitor, judge }
  }

  describe.each([...looks])('$name', (look) => {
    test('the list, how to connect, and the dialogs', async () => {
      const { page, context, judge } = await visitKeys(look)
      await judge()
      expect(await wordsBeyondTheirMeter(page)).toEqual([])
      await choose(page, 'Connect')
      await judge(dialog)
      await button(page, 'Put the key in').click()
      await button(page, 'Take the key out').waitFor()
      await page.getByRole('tab', { name: 'viem' }).click()
      await judge(dialog)
      await closeDialog(page)
      await choose(page, 'Rotate')
      await judge(dialog)
      await closeDialog(page)
      await choose(page, 'Delete')
      await judge(dialog)
      await context.close()
    })

    test('the drawer: with mistakes, filled in, and what comes after it', async () => {
      const { page, context, judge } = await visitKeys(look)
      await button(page, 'Create query key').click()
      await fillIn(page, 'Shop front', 'base', '500')
      await fillIn(page, '', '', '')
      await button(page, 'Create key').click()
      await page.getByText('Give the key a name.').waitFor()
      await judge(dialog)
      await fillIn(page, 'Shop front', 'base', '500')
      await button(page, 'Create key').click()
      await page.getByText('“Shop front” is ready to use').waitFor()
      await judge()
      await context.close()
    })

    test('no key, nothing that matches, a list that cannot be read', async () => {
      const stranger = await subject.visit(createTestWallet(), look)
      await stranger.open('/query-keys', 'Query keys')
      await stranger.page.getByText('No query key yet').waitFor()
      expect(await violationsOn(stranger.page)).toEqual([])
      await stranger.context.close()

      const { page, context } = await visitKeys(look)
      await page.getByLabel('Search keys').fill('nothing has this name')
      await page.getByText('Nothing matches').waitFor()
      expect(await violationsOn(page)).toEqual([])
      await page.route(/queryKeys\.list/, (route) => route.abort())
      await page.reload()
      await page.getByText('This could not be loaded').waitFor()
      expect(await violationsOn(page)).toEqual([])
      await context.close()
    })
  })

  test('an expired key is an end, and offers a new one like it', async () => {
    const { page, context } = await visitKeys(usualLook)
    await button(page, 'Actions of “Hackathon of 2025”').click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Make a new one like it', 'Delete'])
    await context.close()
  })
})
