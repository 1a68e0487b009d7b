import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { phone, startConsole, usualLook } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Look } from '../../scripts/world/console-under-test.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { needs } from '../support/needs.ts'
import { button } from '../support/page.ts'

const isReady = needs('chromium-headless-shell')

/** Where the top bar stands in place of the sidebar, and tables are wider than their place. */
const tablet: Look = { name: 'tablet', width: 800, height: 600 }

/** The words of what has the focus, or the name of its element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    const words = element?.getAttribute('aria-label') ?? label ?? element?.textContent
    return element === document.body ? 'nothing' : (words ?? '').trim()
  })

const untilFocused = (page: Page, words: string): Promise<unknown> =>
  waitUntil(`the focus is at ${words}`, async () => (await focused(page)) === words)

/** Whether the middle of what has the focus is in sight, and nothing lies on top of it. */
const isFocusInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null) return false
    const { left, top, width, height } = element.getBoundingClientRect()
    const above = document.elementFromPoint(left + width / 2, top + height / 2)
    return above !== null && (element.contains(above) || above.contains(element))
  })

async function press(page: Page, name: string | RegExp): Promise<void> {
  await button(page, name).first().focus()
  await page.keyboard.press('Enter')
}

describe.skipIf(!isReady)('with the keyboard alone', () => {
  let subject: ConsoleUnderTest
  const names = ['Indexer', 'Nightly report', 'Website']

  beforeAll(async () => {
    subject = await startConsole()
    await subject.visit(subject.operator).then(({ context }) => context.close())
    const account = subject.operator.address
    for (const name of names) {
      await subject.server.operator.operatorApiKeys.create.mutate({ account, name, permissions: [] })
    }
  })

  afterAll(() => subject.stop())

  /** Opens a page as the operator. */
  async function openAt(path: string, heading: string, look = usualLook): Promise<Page> {
    const { page, open } = await subject.visit(subject.operator, look)
    await open(path, heading)
    return page
  }

  test('whoever deletes a row goes on at the next one', async () => {
    const page = await openAt('/api-keys', 'API keys')
    await press(page, 'Actions of “Nightly report”')
    await untilFocused(page, 'Edit')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const field = page.getByRole('dialog').getByRole('textbox')
    await field.waitFor()
    const label = await field.evaluate((input) => (input as HTMLInputElement).labels?.[0]?.textContent)
    await page.keyboard.type(/“(.+?)”/.exec(label ?? '')?.[1] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await untilFocused(page, 'Show the key “Indexer”')
  })

  test('whoever puts a toast away comes back to where they were', async () => {
    const page = await openAt('/api-keys', 'API keys')
    await page.getByRole('switch', { name: '“Website” is enabled' }).focus()
    await page.keyboard.press('Space')
    await button(page, 'Dismiss').waitFor()
    await page.keyboard.press('F8')
    await page.keyboard.press('Tab')
    await untilFocused(page, 'Dismiss')
    await page.keyboard.press('Escape')
    await untilFocused(page, '“Website” is enabled')
  })

  test('whoever does not close a form after all is back in the field', async () => {
    const page = await openAt('/api-keys', 'API keys')
    await press(page, 'Create API key')
    await untilFocused(page, 'Token name (required)')
    await page.keyboard.type('Wallet')
    await page.keyboard.press('Escape')
    await untilFocused(page, 'Go on editing')
    await page.keyboard.press('Enter')
    await untilFocused(page, 'Token name (required)')
    await page.keyboard.press('Escape')
    await untilFocused(page, 'Go on editing')
    await page.keyboard.press('Escape')
    await untilFocused(page, 'Token name (required)')
  })

  test('a field for lists shows that it has the focus', async () => {
    const page = await openAt('/api-keys', 'API keys')
    await press(page, 'Create API key')
    const field = page.getByLabel('Allowed IPs')
    await field.focus()
    const box = field.locator('xpath=ancestor::*[contains(@class, "control")]')
    expect(await box.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  })

  test('a rule is switched back by the same key', async () => {
    const page = await openAt('/alerts?tab=rules', 'Alerts')
    const rule = page.getByRole('switch', { name: 'Rule “Flapping”' })
    const isOn = (wanted: boolean) =>
      waitUntil('the rule is switched', async () => (await rule.getAttribute('aria-checked')) === `${wanted}`)
    await rule.focus()
    await page.keyboard.press('Space')
    await isOn(false)
    await button(page, 'Dismiss').first().waitFor()
    await page.keyboard.press('Space')
    await isOn(true)
  })

  test('a command of the palette leaves the focus where it was', async () => {
    const page = await openAt('/usage', 'Usage')
    const range = page.getByRole('radio', { name: '24 hours' })
    await range.focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to or do' }).waitFor()
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
    await waitUntil('the focus is back', () => range.evaluate((input) => input === document.activeElement))
  })

  test('on a phone the menu begins at its top', async () => {
    const page = await openAt('/', 'Overview', phone)
    await press(page, 'Menu')
    await untilFocused(page, 'Close')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toStartWith('Search')
  })

  test('nothing that has the focus is under a bar or beside its table', async () => {
    for (const [path, heading] of [
      ['/api-keys', 'API keys'],
      ['/alerts', 'Alerts'],
    ] as const) {
      const page = await openAt(path, heading, tablet)
      await page.getByRole('table').first().waitFor()
      const hidden: string[] = []
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let stop = 0; stop < 60; stop++) {
          await page.keyboard.press(key)
          if ((await focused(page)) === 'nothing') break
          const isWhole = await page.evaluate(() =>
            document.activeElement?.matches('[role=region], [role=tabpanel]'),
          )
          if (isWhole === false && !(await isFocusInSight(page))) hidden.push(`${key} ${await focused(page)}`)
        }
      }
      expect(hidden).toEqual([])
    }
  })
})
