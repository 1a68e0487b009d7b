import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import {
  excessWidth,
  looks,
  nothingWrong,
  startConsole,
  violationsOn,
  wrongsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

const card = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'Private addresses' }) })
const rowOf = (page: Page, name: string) => card(page).getByRole('row').filter({ hasText: name })

describe.skipIf(!isReady)('private addresses that operators allow', () => {
  let subject: ConsoleUnderTest
  const node = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('well') })

  beforeAll(async () => {
    subject = await startConsole({}, { GATEHOUSE_ALLOW_PRIVATE: '10.9.0.0/16' })
  }, 90_000)
  afterAll(async () => {
    await subject?.stop()
    await node.stop(true)
  })

  const operator = () => subject.server.operator.allowedAddresses

  async function fill(page: Page, name: string): Promise<void> {
    await page.goto('/services')
    await button(page, 'Register service').first().click()
    await page.getByRole('textbox', { name: 'Name (required)' }).fill(name)
    await page.getByLabel('What it is').selectOption('http')
    await page.getByRole('textbox', { name: 'Provider (required)' }).fill('acme')
    await page.getByRole('textbox', { name: 'Endpoint (required)' }).fill(`http://127.0.0.1:${node.port}/`)
    await button(page, 'Register').click()
    await button(page, 'Allow this address').waitFor()
  }

  test.each([...looks])(
    'a form that is refused is sent again once the address is allowed: $name',
    async (look) => {
      const { page, context } = await subject.visit(subject.operator, look)
      await fill(page, `Web ${look.name}`)
      expect(await violationsOn(page, '[role=dialog]')).toEqual([])
      await button(page, 'Allow this address').click()
      await page.getByText('All outbound calls of this installation').waitFor()
      expect(await violationsOn(page, '[role=dialog]')).toEqual([])
      expect(await excessWidth(page)).toBe(0)
      await button(page, 'Do not allow').click()
      expect((await operator().list.query()).addresses).toEqual([])
      await button(page, 'Allow this address').click()
      await button(page, 'Allow and try again').click()
      await page.getByRole('heading', { level: 1, name: `Web ${look.name}` }).waitFor()
      await page.getByText('127.0.0.1 may be reached from now on.', { exact: true }).first().waitFor()
      expect((await operator().list.query()).addresses).toMatchObject([{ address: '127.0.0.1' }])
      await operator().revoke.mutate({ address: '127.0.0.1' })
      await context.close()
    },
  )

  test.each([...looks])('the list under Settings allows and revokes: $name', async (look) => {
    const { page, context, open, complaints } = await subject.visit(subject.operator, look)
    await open('/settings', 'Settings')
    await rowOf(page, '10.9.0.0/16').getByText('the environment').waitFor()
    expect(await rowOf(page, '10.9.0.0/16').getByRole('button').count()).toBe(0)
    await button(page, 'Allow an address').click()
    await page.getByRole('textbox', { name: 'Address (required)' }).fill('http://10.0.0.5:8545/key')
    expect(await wrongsOn(page, complaints, '[role=dialog]')).toEqual(nothingWrong)
    await button(page, 'Allow').click()
    await rowOf(page, '10.0.0.5').waitFor()
    expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
    await button(page, 'Revoke 10.0.0.5').click()
    await page.getByRole('dialog', { name: 'Revoke 10.0.0.5?' }).waitFor()
    expect(await wrongsOn(page, complaints, '[role=dialog]')).toEqual(nothingWrong)
    await button(page, 'Revoke').click()
    await rowOf(page, '10.0.0.5').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('what may not be allowed is said at the field', async () => {
    const { page, context, open } = await subject.visit(subject.operator)
    await open('/settings', 'Settings')
    await button(page, 'Allow an address').click()
    await page.getByRole('textbox', { name: 'Address (required)' }).fill('169.254.169.254')
    await button(page, 'Allow').click()
    await page.getByText('169.254.169.254 cannot be allowed here', { exact: false }).waitFor()
    await context.close()
  })
})
