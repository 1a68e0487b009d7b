import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'

import { type AskingToolServer, startAskingToolServer } from '../support/asking-tool-server.ts'
import { writeConsoleRegistry } from '../../scripts/world/console-registry.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'

/** Tools that ask their caller something, in the playground. */

const isReady = needs('chromium-headless-shell')

const answerOf = (page: Page) => page.getByRole('region', { name: 'Text of the answer' })

async function call(page: Page, tool: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${tool}`) }).click()
  await button(page, `Call ${tool}`).click()
}

describe.skipIf(!isReady)('a tool that asks', () => {
  let asking: AskingToolServer
  let folder: string
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    asking = startAskingToolServer()
    folder = writeConsoleRegistry({
      chain: 'base',
      mcpservers: [
        {
          slug: 'asking',
          provider: 'Asking',
          transportType: 'http',
          mcpEndpoint: asking.url,
          authType: 'None',
        },
      ],
    })
    subject = await startConsole({ registry: { source: folder } })
  }, 90_000)

  afterAll(async () => {
    await subject?.stop()
    await asking?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  async function visit(look?: (typeof looks)[number]) {
    const visitor = await subject.visit(subject.operator, look)
    await visitor.open('/gateway?tab=playground&server=mcpservers:asking', 'Gateway')
    await button(visitor.page, 'List its tools').click()
    await visitor.page.getByText('3 tools').waitFor()
    return visitor
  }

  test('is answered with a form, again and again until it has what it needs', async () => {
    const { page, context, complaints } = await visit()
    await call(page, 'order_node')
    await page.getByText('Which node do you need?', { exact: false }).waitFor()
    await button(page, 'Send').click()
    expect(await page.getByText('It has to be there.').count()).toBe(2)
    await page.getByLabel('project').fill('Ada’s indexer')
    await page.getByLabel('chain').selectOption({ label: 'Gnosis Chain' })
    await page.getByLabel('archive').selectOption({ label: 'true' })
    await button(page, 'Send').click()
    await page.getByText('Start it now?').waitFor()
    await button(page, 'Send').click()
    const content = { project: 'Ada’s indexer', requests: 25, chain: 'gnosis', archive: true }
    const told = { action: 'accept', content }
    await answerOf(page)
      .getByText(`told: ${JSON.stringify(told)}; {"sure":{"action":"accept","content":{}}}`)
      .waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('told:')
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test.each([
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ])(
    'learns of “%s”',
    async (name, action) => {
      const { page, context, complaints } = await visit()
      await call(page, 'order_node')
      await button(page, name).click()
      await answerOf(page).getByText(`{"order":{"action":"${action}"}}`).waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
    60_000,
  )

  test('wants somebody to go to an address: it is shown, and never opened by itself', async () => {
    const { page, context, complaints } = await visit()
    await call(page, 'sign_in')
    const link = page.getByRole('link', { name: /^Open accounts\.provider\.example/ })
    await link.waitFor()
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    await page.getByText('https://accounts.provider.example/authorize', { exact: false }).waitFor()
    await page.getByText('javascript:alert(1)').waitFor()
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
    expect(context.pages()).toHaveLength(1)
    await button(page, 'Send').click()
    await answerOf(page).getByText('{"there":{"action":"accept"},"elsewhere":{"action":"accept"}}').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('asks for what the playground does not have: that is said, and there is nothing to press', async () => {
    const { page, context, complaints } = await visit()
    await call(page, 'summarize')
    await page.getByText('It asks for the answer of a language model.', { exact: false }).waitFor()
    await page.getByText('The playground cannot answer this.', { exact: false }).waitFor()
    for (const name of ['Send', 'Decline', 'Cancel']) expect(await button(page, name).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)

  test('keeps what was typed when the answer does not arrive', async () => {
    const { page, context } = await visit()
    await call(page, 'order_node')
    await page.getByLabel('project').fill('Ada’s indexer')
    await page.getByLabel('chain').selectOption({ label: 'Base' })
    await page.route(/gateway\.callTool/, (route) => route.abort())
    await button(page, 'Send').click()
    await page.getByText('It could not be called').waitFor()
    expect(await page.getByLabel('project').inputValue()).toBe('Ada’s indexer')
    await page.unroute(/gateway\.callTool/)
    await button(page, 'Send').click()
    await page.getByText('Start it now?').waitFor()
    await context.close()
  }, 60_000)

  test.each([...looks])(
    'in $name',
    async (look) => {
      const { page, context, complaints } = await visit(look)
      const judge = async () => {
        expect(await wrongsOn(page, complaints)).toEqual(nothingWrong)
      }
      await call(page, 'order_node')
      await page.getByText('Which node do you need?', { exact: false }).waitFor()
      await judge()
      await button(page, 'Send').click()
      await page.getByText('It has to be there.').first().waitFor()
      await judge()
      await call(page, 'sign_in')
      await page.getByText('Sign in with the provider.').first().waitFor()
      await judge()
      await call(page, 'summarize')
      await page.getByText('The playground cannot answer this.', { exact: false }).waitFor()
      await judge()
      await context.close()
    },
    60_000,
  )
})
