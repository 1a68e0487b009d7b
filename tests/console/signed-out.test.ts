import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { TestWallet } from '../../scripts/world/test-wallet.ts'
import { looks, nothingWrong, startConsole, wrongsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest, Look, Visitor } from '../../scripts/world/console-under-test.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { needs } from '../support/needs.ts'
import { button, inDialog } from '../support/page.ts'

/** What becomes of what somebody filled in when their session ends before it is saved. */

const isReady = needs('chromium-headless-shell')
const serverForm = { path: '/gateway?tab=virtual-servers', open: 'Create virtual server' }
const forms = [
  serverForm,
  { path: '/endpoints', open: 'Create endpoint' },
  { path: '/alerts?tab=rules', open: 'New rule' },
]

const cover = (page: Page) => page.getByRole('dialog', { name: 'You were signed out' })
const nameField = (page: Page) => page.getByRole('dialog').getByLabel(/^Name/).first()
/** As when somebody comes back to a window that was in sight all the time. */
const focusWindow = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))

async function signInElsewhere({ page, context }: Visitor, wallet: TestWallet): Promise<void> {
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    button(page, 'Sign in in another tab').click(),
  ])
  await injectWallet(tab, wallet)
  await tab.reload()
  await button(tab, 'Fox Wallet').click()
  await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

describe.skipIf(!isReady)('a form that is filled in when the session ends', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole()
  })
  afterAll(() => subject.stop())

  async function fillIn({ path, open }: (typeof forms)[number], look?: Look): Promise<Visitor> {
    const visitor = await subject.visit(subject.operator, look)
    await visitor.page.goto(path)
    await button(visitor.page, open).first().click()
    await nameField(visitor.page).fill('drafted')
    return visitor
  }

  async function endSession(): Promise<void> {
    const elsewhere = await signInAt(subject.server.url, subject.operator)
    expect(await elsewhere.mutate('accounts.endOtherSessions')).toMatchObject({ status: 200 })
  }

  async function endAndNotice({ page }: Visitor): Promise<void> {
    await endSession()
    await focusWindow(page)
    await cover(page).waitFor()
  }

  test('a save that comes too late can be made up for', async () => {
    const visitor = await fillIn(serverForm)
    const { page, context } = visitor
    await page.getByRole('dialog').getByRole('combobox').last().selectOption({ index: 1 })
    await endSession()
    await inDialog(page, 'Save').click()
    await cover(page).waitFor()
    await signInElsewhere(visitor, subject.operator)
    await focusWindow(page)
    await cover(page).waitFor({ state: 'hidden' })
    await inDialog(page, 'Save').click()
    await page.getByRole('cell', { name: 'drafted' }).first().waitFor()
    await context.close()
  })

  test.each(forms)('$path: it is there again after the sign-in', async (form) => {
    const visitor = await fillIn(form)
    await endAndNotice(visitor)
    await signInElsewhere(visitor, subject.operator)
    await focusWindow(visitor.page)
    await cover(visitor.page).waitFor({ state: 'hidden' })
    expect(await nameField(visitor.page).inputValue()).toBe('drafted')
    await visitor.context.close()
  })

  test('nothing of it is left for somebody else who signs in', async () => {
    const visitor = await fillIn(serverForm)
    const { page, context } = visitor
    await endAndNotice(visitor)
    await signInElsewhere(visitor, createTestWallet())
    await Promise.all([page.waitForEvent('load'), focusWindow(page)])
    await page.getByRole('heading', { level: 1, name: 'Gateway' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.close()
  })

  test('it is given up by whoever signs in here', async () => {
    const visitor = await fillIn(serverForm)
    const { page, context } = visitor
    await endAndNotice(visitor)
    await page.keyboard.press('Escape')
    await inDialog(page, 'Give it up').click()
    await page.getByText('Your session has ended').waitFor()
    await context.close()
  })

  test.each([...looks])('$name: what covers the page hides all of it', async (look) => {
    const visitor = await fillIn(serverForm, look)
    const { page, context } = visitor
    await endAndNotice(visitor)
    const { width, height } = look
    const onTop = await page.evaluate(
      (places) =>
        places.every(([x, y]) => document.elementFromPoint(x, y)?.closest('[role=dialog]')?.textContent),
      [
        [5, 5],
        [width - 5, 5],
        [5, height - 5],
        [width - 5, height - 5],
      ] as const,
    )
    const shown = await page.screenshot()
    const hidden = page.locator('[role=dialog] input').first()
    await hidden.evaluate((field: HTMLInputElement) => (field.style.visibility = 'hidden'))
    expect({ onTop, isSeen: !shown.equals(await page.screenshot()) }).toEqual({ onTop: true, isSeen: false })
    const complaints = visitor.complaints.filter((text) => !text.includes('401'))
    expect(await wrongsOn(page, complaints, '[role=dialog]')).toEqual(nothingWrong)
    await context.close()
  })
})
