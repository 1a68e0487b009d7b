import { createRequire } from 'node:module'

import type Axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'

import { createTestWallet } from './test-wallet.ts'
import type { TestWallet } from './test-wallet.ts'
import { launchChromium } from './chromium.ts'
import { createTestInstallation } from './gatehouse-process.ts'
import { waitUntil } from './wait-until.ts'
import type { GatehouseProcess, TestInstallation } from './gatehouse-process.ts'

/** The smaller form of it: pages have to read it again after each navigation. */
const axe: typeof Axe = createRequire(import.meta.url)('axe-core/axe.min.js')

/** Which way the console is looked at. Its theme is that of the browser: light, and dark while `violationsOn` judges it. */
export interface Look {
  readonly name: string
  readonly width: number
  readonly height: number
  /** Where the reader is, by the IANA name; where this machine is unless given. */
  readonly timeZone?: string
}

export const usualLook: Look = { name: 'desktop', width: 1280, height: 800 }
export const phone: Look = { name: 'phone', width: 390, height: 844 }

/** Every screen is looked at in each of these. */
export const looks: readonly Look[] = [usualLook, phone]

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and warnings of the browser, among them what the content security policy refused, and requests to elsewhere. */
  readonly complaints: readonly string[]
  /** Goes to a path and waits until its heading is there. */
  open(path: string, heading: string | RegExp): Promise<void>
}

/** A running installation with the built console, and a browser. */
export interface ConsoleUnderTest {
  readonly installation: TestInstallation
  readonly server: GatehouseProcess
  readonly browser: Browser
  /** Whose wallet `GATEHOUSE_OPERATORS` names. */
  readonly operator: TestWallet
  /** A browser of its own; `wallet` is signed in already, null is nobody. */
  visit(wallet: TestWallet | null, look?: Look): Promise<Visitor>
  /** Starts the server anew: then it knows what was written into the database beside it. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * `file`: content of the declarative file. `friends`: addresses of others to which pages may send the browser. Needs
 * chromium.
 */
export async function startConsole(
  file: string | object = '',
  environment: Record<string, string> = {},
  friends: readonly string[] = [],
): Promise<ConsoleUnderTest> {
  const operator = createTestWallet()
  const installation = await createTestInstallation(file)
  const start = () => installation.start({ GATEHOUSE_OPERATORS: operator.address, ...environment })
  let server = await start()
  const browser = await launchChromium()

  async function visit(wallet: TestWallet | null, look = usualLook): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: look.width, height: look.height },
      reducedMotion: 'reduce',
      baseURL: server.url,
      ...(look.timeZone !== undefined && { timezoneId: look.timeZone }),
    })
    if (wallet !== null) await context.addCookies(await signIn(server.url, wallet))
    const page = await context.newPage()
    return {
      page,
      context,
      complaints: complaintsOf(page, [server.url, ...friends]),
      async open(path, heading) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      },
    }
  }

  return {
    installation,
    get server() {
      return server
    },
    browser,
    operator,
    visit,
    async restart() {
      await server.stop()
      server = await start()
    },
    async stop() {
      await browser.close()
      await server.stop()
      await installation.remove()
    },
  }
}

/** What the browser says of a page from now on: errors, warnings, and requests to other addresses than these. */
export function complaintsOf(page: Page, addresses: readonly string[]): readonly string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    const isExpected = ['data:', ...addresses].some((start) => url.startsWith(start))
    if (!isExpected) complaints.push(`asked ${url}`)
  })
  return complaints
}

/** By the REST paths, as the page does it; returns the session's cookie. */
async function signIn(url: string, wallet: TestWallet) {
  const headers = { 'content-type': 'application/json', origin: url }
  const post = (path: string, body: unknown, cookie = '') =>
    fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(body) })
  const challenge = await post('/auth/wallet/challenge', { address: wallet.address, chainId: 1 })
  const { message } = (await challenge.json()) as { message: string }
  const visit = challenge.headers.getSetCookie()[0]?.split(';')[0]
  const proven = await post('/auth/wallet/verify', { message, signature: wallet.sign(message) }, visit)
  if (!proven.ok) throw new Error(`signing in failed: ${await proven.text()}`)
  return proven.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url, httpOnly: true }
  })
}

/** Closes the dialog that is open by keyboard, and throws away what was filled in. */
export async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const discard = dialog.getByRole('button', { name: 'Close without saving' })
  await page.keyboard.press('Escape')
  await waitUntil('the dialog is closed', async () => {
    if (await discard.isVisible()) await discard.click()
    return !(await dialog.isVisible())
  })
}

/** The rules of axe that look at colours, which is all that a theme changes. Each of the others takes its time again. */
const rulesOfThemes = ['color-contrast', 'link-in-text-block']

/** What axe objects to in either theme: in the whole page, or in one part of it. */
export async function violationsOn(page: Page, part?: string): Promise<string[]> {
  const light = await objectionsOn(page, part)
  await turn(page, 'dark')
  const dark = await objectionsOn(page, part, rulesOfThemes)
  await turn(page, 'light')
  return [...light, ...dark.map((objection) => `dark: ${objection}`)]
}

/** To a page that is open: opening another for each theme would take several times as long. */
async function turn(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  // The page hears of it before the first of these frames, and has changed its colours before the second.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** `rules`: by their ids, those that are judged by; all unless given. */
async function objectionsOn(page: Page, part?: string, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  // Without `resultTypes`, axe also describes each element that passes.
  const options: Axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) }
  return page.evaluate(
    async ({ selector, how }) => {
      const inPage = (globalThis as unknown as { axe: typeof Axe }).axe
      const { violations } = await inPage.run(selector ?? document, how)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
      )
    },
    { selector: part, how: options },
  )
}

/** By how many pixels the page is wider than its window. */
export const excessWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** All that nobody should meet on a page, besides what it shows: objections of axe, excess width, complaints. */
export const wrongsOn = async (page: Page, complaints: readonly string[], part?: string) => ({
  violations: await violationsOn(page, part),
  tooWide: await excessWidth(page),
  complaints,
})

export const nothingWrong = { violations: [], tooWide: 0, complaints: [] }
