import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import {
  excessWidth,
  looks,
  phone,
  startConsole,
  usualLook,
  violationsOn,
} from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { injectWallet } from '../support/injected-wallet.ts'
import { needs } from '../support/needs.ts'

const isReady = needs('chromium-headless-shell')

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to or do' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const hasFocus = (page: Page, name: string): Promise<boolean> =>
  heading(page, name).evaluate((element) => element === document.activeElement)
const links = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link')
const accountMenu = (page: Page) => page.getByRole('button', { name: 'Signed in as' })
const isDark = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.classList.contains('dark'))

describe.skipIf(!isReady)('the frame', () => {
  let subject: ConsoleUnderTest

  beforeAll(async () => {
    subject = await startConsole()
  })

  afterAll(() => subject.stop())

  describe.each([...looks])('$name', (look) => {
    test('the page, its menus and the palette are clear, fit, and can be used by everybody', async () => {
      const { page, open, complaints } = await subject.visit(subject.operator, look)
      await open('/', 'Overview')
      expect(await violationsOn(page)).toEqual([])
      expect(await excessWidth(page)).toBe(0)
      if (look.width < 1024) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('dialog', { name: 'Gatehouse' }).waitFor()
        expect(await violationsOn(page, '[role=dialog]')).toEqual([])
      }
      await accountMenu(page).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      expect(await violationsOn(page, '[role=menu]')).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
      if (look.width < 1024) await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await palette(page).waitFor()
      expect(await violationsOn(page, '[role=dialog]')).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
    })
  })

  test('whoever is not signed in comes to the page to sign in', async () => {
    const { page, complaints } = await subject.visit(null)
    await page.goto('/services')
    await page.waitForURL('**/sign-in?returnTo=/services')
    expect(complaints).toEqual([])
  })

  test('shows operators their places, and others only their own', async () => {
    const operator = await subject.visit(subject.operator)
    await operator.open('/', 'Overview')
    expect(await links(operator.page).allTextContents()).toEqual(
      expect.arrayContaining(['Alerts', 'Audit log']),
    )
    const other = await subject.visit(createTestWallet())
    await other.open('/', 'Overview')
    expect(await links(other.page).allTextContents()).toEqual([
      'Overview',
      'Services',
      'Query keys',
      'Usage',
      'Requests',
      'Registry',
      'Gateway',
      'Tool calls',
      'API keys',
      'Settings',
    ])
    await other.page.goto('/audit-log')
    await heading(other.page, 'Overview').waitFor()
    expect(new URL(other.page.url()).pathname).toBe('/')
    await other.page.keyboard.press('Control+k')
    await palette(other.page).waitFor()
    expect(await palette(other.page).getByRole('option', { name: 'Verifiers' }).count()).toBe(0)
  })

  test('by keyboard alone: the palette finds a page and a command', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.type('sessions')
    await page.keyboard.press('Enter')
    await heading(page, 'Settings').waitFor()
    await palette(page).waitFor({ state: 'hidden' })
    expect([await hasFocus(page, 'Settings'), await page.title()]).toEqual([true, 'Settings · Gatehouse'])

    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.type('no such thing')
    await page.getByText('Nothing has this name.').waitFor()
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
  })

  test('the first stop of the Tab key leads past the menu', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })

  test('a theme that was chosen stays, and that of the system is followed otherwise', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    expect(await isDark(page)).toBe(false)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
    await page.getByRole('radio', { name: 'Light theme' }).check({ force: true })
    await page.waitForFunction(() => !document.documentElement.classList.contains('dark'))
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload({ waitUntil: 'commit' })
    await page.waitForFunction(() => document.readyState !== 'loading')
    expect(await isDark(page)).toBe(false) // before any of our own code ran
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
  })

  test('times are told in UTC by whoever wants that, on every page and from then on', async () => {
    const { page, open, context } = await subject.visit(subject.operator, {
      ...usualLook,
      timeZone: 'Asia/Kolkata',
    })
    await open('/audit-log', 'Audit log')
    const told = async (): Promise<string> =>
      ((await page.locator('main time').first().textContent()) ?? '').trim()
    const zone = page.getByRole('button', { name: 'Times are in' })
    const turn = () => Promise.all([page.waitForEvent('load'), zone.click()])
    const local = await told()
    expect(await zone.textContent()).toContain('GMT+5:30')
    await turn()
    const utc = await told()
    expect(await zone.textContent()).toContain('UTC')
    expect(utc).toEndWith(' UTC')
    expect(Date.parse(`${local} GMT+0530`)).toBe(Date.parse(utc))
    await turn()
    expect(await told()).toBe(local)
    await context.close()
  })

  test('on a phone the menu leads to a page and closes', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator, phone)
    await open('/', 'Overview')
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Gatehouse' })
    await menu.getByRole('link', { name: 'Settings' }).click()
    await heading(page, 'Settings').waitFor()
    await menu.waitFor({ state: 'hidden' })
    expect(await hasFocus(page, 'Settings')).toBe(true)
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('button', { name: 'Search' }).click()
    await palette(page).waitFor()
    await menu.waitFor({ state: 'hidden' })
    await page.keyboard.type('overv')
    await page.keyboard.press('Enter')
    await heading(page, 'Overview').waitFor()
    expect(complaints).toEqual([])
  })

  test('a page that is slow to come is announced', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/account-pages*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Settings' }).click()
    const progress = page.getByRole('progressbar', { name: 'Loading the page' })
    await progress.waitFor()
    held.resolve()
    await heading(page, 'Settings').waitFor()
    await progress.waitFor({ state: 'hidden' })
  })

  test('a page whose part cannot be loaded says so, and stays where it was', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('The server cannot be reached.', { exact: false }).first().waitFor()
    await page.getByText('No connection to the server').waitFor()
    await heading(page, 'Overview').waitFor()
    await page.keyboard.press('Control+k')
    await page.context().setOffline(false)
    await palette(page).waitFor()
    await page.keyboard.type('settings')
    await page.keyboard.press('Enter')
    await heading(page, 'Settings').waitFor()
  })

  test('what a browser gets compressed by Brotli is what the build wrote', async () => {
    const { url } = subject.server
    const read = async (path: string, coding: string) => {
      const answer = await fetch(url + path, { headers: { 'accept-encoding': coding }, decompress: false })
      return { coding: answer.headers.get('content-encoding'), bytes: await answer.bytes() }
    }
    const page = await read('/', 'identity')
    const [script = ''] = /\/assets\/index-[\w-]+\.js/.exec(new TextDecoder().decode(page.bytes)) ?? []
    for (const path of ['/', script]) {
      const [plain, brotli] = [await read(path, 'identity'), await read(path, 'gzip, deflate, br, zstd')]
      expect([plain.coding, brotli.coding]).toEqual([null, 'br'])
      expect(new Uint8Array(brotliDecompressSync(brotli.bytes))).toEqual(plain.bytes)
      expect(brotli.bytes.length).toBeLessThan((await read(path, 'gzip')).bytes.length)
    }
  })

  test('after an update of the server the new console is loaded', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await page.route('**/assets/account-pages*.js', (route) => route.fulfill({ status: 404 }))
    await page.route(`${subject.server.url}/`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(
        /\/assets\/index-[\w-]+\.js/,
        '/assets/index-of-another.js',
      )
      await route.fulfill({ response, body })
    })
    const reloaded = page.waitForEvent('domcontentloaded')
    await page.getByRole('link', { name: 'Settings' }).click()
    await reloaded
  })

  test('a lost connection is told, and forgotten when it is back', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/settings', 'Settings')
    await open('/', 'Overview')
    await page.route('**/trpc/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Settings' }).click()
    await heading(page, 'Settings').waitFor()
    await page.getByText('No connection to the server').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.unroute('**/trpc/**')
    await page.getByText('No connection to the server').waitFor({ state: 'hidden' })
    await page.route('**/trpc/**', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('The server cannot answer now').waitFor()
    await page
      .getByText('The server is there, but cannot answer now (503)', { exact: false })
      .first()
      .waitFor()
    await page.unroute('**/trpc/**')
    await page.getByText('The server cannot answer now').waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('table', { name: 'Signed-in browsers' }).getByText('This one').waitFor()
  })

  test('a path that something in front refuses fails alone, and is asked for every few seconds', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    const refusedAgain = Promise.withResolvers<void>()
    let refusals = 0
    let others = 0
    page.on('request', (request) => {
      if (request.url().includes('/trpc/alerts.firing')) others++
    })
    await page.route('**/trpc/usage.*', async (route) => {
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504</h1>' })
      if (++refusals === 3) refusedAgain.resolve()
    })
    await page.getByRole('link', { name: 'Usage' }).click()
    await heading(page, 'Usage').waitFor()
    await refusedAgain.promise
    expect(others).toBeLessThan(3)
    expect(await page.getByText('The server cannot answer now', { exact: true }).count()).toBe(0)
    const loaded = page.waitForResponse((answer) => answer.url().includes('/trpc/usage.') && answer.ok())
    await page.unroute('**/trpc/usage.*')
    await loaded
  })

  test('signing out ends the session of this browser', async () => {
    const { page, open, complaints } = await subject.visit(subject.operator)
    await open('/', 'Overview')
    await accountMenu(page).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in to Gatehouse').waitFor()
    await page.goto('/settings')
    await page.waitForURL('**/sign-in?returnTo=/settings')
    expect(complaints).toEqual([])
  })

  test('a session that was ended elsewhere: back to the page to sign in, and from there to where one was', async () => {
    const wallet = createTestWallet()
    const [here, elsewhere] = [await subject.visit(wallet), await subject.visit(wallet)]
    await injectWallet(here.page, wallet)
    await here.open('/settings', 'Settings')
    await elsewhere.open('/settings', 'Settings')
    await elsewhere.page.getByRole('button', { name: 'Sign out all others' }).click()
    await elsewhere.page.getByText('1 other browser is signed out.', { exact: true }).waitFor()

    await here.page.getByRole('button', { name: 'Sign out A program', exact: true }).click()
    await here.page.getByText('Your session has ended').waitFor()
    await here.page.getByRole('button', { name: 'Fox Wallet' }).click()
    await heading(here.page, 'Settings').waitFor()
  })
})
