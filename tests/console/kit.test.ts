import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

import { buildKitchenSink } from '../../console/test-support/kitchen-sink/build.ts'
import { launchChromium } from '../../scripts/world/chromium.ts'
import { complaintsOf, excessWidth, looks, violationsOn } from '../../scripts/world/console-under-test.ts'
import { needs } from '../support/needs.ts'
import { dialog } from '../support/page.ts'
import { serveStrictly } from '../support/strict-files.ts'
import type { StrictFiles } from '../support/strict-files.ts'

let folder: string
let site: StrictFiles
let browser: Browser

const isReady = needs('chromium-headless-shell')

beforeAll(async () => {
  if (!isReady) return
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-kit-'))
  await buildKitchenSink(folder)
  site = serveStrictly(folder)
  browser = await launchChromium()
})

afterAll(async () => {
  if (!isReady) return
  await browser.close()
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface OpenPage {
  page: Page
  /** Errors on the console, which is also where a refused style or script is told, and requests to elsewhere. */
  complaints: readonly string[]
}

async function openPage(look: (typeof looks)[number]): Promise<OpenPage> {
  const { width, height } = look
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const complaints = complaintsOf(page, [site.address])
  await page.goto(`${site.address}/`)
  await page.getByRole('heading', { name: 'Everything in the kit' }).waitFor()
  return { page, complaints }
}

/** Behind a dialog that takes over the page, nothing else can be reached. */

/** What each button opens, how the opened thing is found, and what there is to be judged then. */
const openings = [
  {
    button: 'Open dialog',
    judged: dialog,
    opened: (page: Page) => page.getByRole('dialog', { name: 'Link another wallet' }),
  },
  {
    button: 'Open drawer',
    judged: dialog,
    opened: (page: Page) => page.getByRole('dialog', { name: 'Create API key' }),
  },
  {
    button: 'Open menu of places',
    judged: dialog,
    opened: (page: Page) => page.getByRole('dialog', { name: 'Places' }),
  },
  {
    button: 'Open confirmation',
    judged: dialog,
    opened: (page: Page) => page.getByRole('dialog', { name: 'Delete' }),
  },
  {
    button: 'Open palette',
    judged: dialog,
    opened: (page: Page) => page.getByRole('dialog', { name: 'Go to or do' }),
  },
  {
    button: 'Open popover',
    judged: undefined,
    opened: (page: Page) => page.getByRole('dialog', { name: 'Open popover' }),
  },
  { button: 'Actions of “Build server”', judged: undefined, opened: (page: Page) => page.getByRole('menu') },
] as const

describe.skipIf(!isReady)('the kit', () => {
  describe.each([...looks])('$name', (look) => {
    let page: Page
    let complaints: readonly string[]

    beforeAll(async () => {
      ;({ page, complaints } = await openPage(look))
    })

    afterAll(() => page.context().close())

    test('has nothing that axe objects to, and fits the width', async () => {
      expect(await violationsOn(page)).toEqual([])
      const tooWide = await excessWidth(page)
      expect({ tooWide, complaints }).toEqual({ tooWide: 0, complaints: [] })
    })

    test.each([...openings])('$button', async ({ button, judged, opened }) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await opened(page).waitFor()
      expect(await violationsOn(page, judged)).toEqual([])
      await page.keyboard.press('Escape')
      await opened(page).waitFor({ state: 'hidden' })
      const focused = page.getByRole('button', { name: button, exact: true })
      expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(complaints).toEqual([])
    })

    test('a tooltip and a toast', async () => {
      await page.getByRole('button', { name: 'With tooltip' }).hover()
      await page.getByRole('tooltip', { name: 'Seen 4 seconds ago' }).waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Show toast' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      expect(await violationsOn(page)).toEqual([])
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' })
      expect(complaints).toEqual([])
    })
  })
})
