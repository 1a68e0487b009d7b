import { statSync } from 'node:fs'
import type { Page } from 'playwright-core'

import type { Look, Visitor } from '../world/console-under-test.ts'
import { shownService, shownToolServer } from './world.ts'
import type { PictureWorld } from './world.ts'

const folder = 'console/pictures'
const mostKilobytes = 150
const look: Look = { name: 'picture', width: 1440, height: 900 }

/** Opens a page and waits until all that it shows is there. */
type Show = (visitor: Visitor) => Promise<unknown>

const slider = (page: Page, name: string | RegExp) => page.getByRole('slider', { name })

/** The pages that the documents show. */
const pages = {
  overview: async ({ page, open }) => {
    await open('/', 'Overview')
    await page.getByText('is DOWN').first().waitFor()
    await slider(page, 'Calls by hour').waitFor()
    await page.getByRole('button', { name: 'Hide', exact: true }).click()
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width: look.width, height })
  },
  services: async ({ page, open }) => {
    await open('/services', 'Services')
    await page
      .getByRole('row')
      .filter({ hasText: 'Base archive' })
      .getByText('DOWN', { exact: true })
      .waitFor()
    await page.getByText(/^Live$/).waitFor()
    await page
      .getByRole('img', { name: /^Last 24 hours/ })
      .first()
      .waitFor()
  },
  service: async ({ page, open }) => {
    await open(`/services/${shownService.id}`, shownService.name)
    await page.getByRole('heading', { level: 2, name: 'LATENCY' }).waitFor()
    await slider(page, /^Lag of/).waitFor()
    await page.getByText('3 of 3 reporting', { exact: false }).waitFor() // a verifier is assigned after a while
  },
  'query-keys': async ({ page, open }) => {
    await open('/query-keys', 'Query keys')
    await page.getByText('64 of 100 per hour').waitFor()
  },
  usage: async ({ page, open }) => {
    await open('/usage?range=7d', 'Usage')
    await slider(page, 'Calls by key').waitFor()
    await page.getByText('1 of 2 DOWN').first().waitFor()
  },
  endpoints: async ({ page, open }) => {
    await open('/endpoints', 'Endpoints')
    await page.getByText('1 of 2 upstreams is DOWN', { exact: false }).waitFor()
    await page.getByText(/^Updated/).waitFor()
  },
  gateway: async ({ page, open }) => {
    await open(`/gateway?tab=playground&server=${shownToolServer}`, 'Gateway')
    await page.getByRole('button', { name: 'List its tools' }).click()
    await page.getByRole('button', { name: /^get_gas_price/ }).click()
    await page.getByLabel('chain').selectOption('base')
    await page.getByRole('button', { name: 'Call get_gas_price' }).click()
    await page.getByText('Answered').waitFor()
  },
} satisfies Record<string, Show>

export type PictureName = keyof typeof pages

export const pictureNames = Object.keys(pages) as PictureName[]

/** Takes these pictures, each as soon as its page is whole, and tells the path and size of each. */
export async function takePictures(
  { console }: PictureWorld,
  names: readonly PictureName[],
  tell: (line: string) => void,
): Promise<void> {
  const visitor = await console.visit(console.operator, look)
  for (const name of names) {
    await visitor.page.setViewportSize(look)
    await pages[name](visitor)
    const path = `${folder}/${name}.webp` // without loss, and a third smaller than as PNG
    await visitor.page.screenshot({ path, type: 'webp', animations: 'disabled', caret: 'hide' })
    const kilobytes = Math.ceil(statSync(path).size / 1_000)
    tell(`${path}  ${kilobytes} kB`)
    if (kilobytes > mostKilobytes)
      throw new Error(`${path} is larger than ${mostKilobytes} kB; the repository keeps every version of it`)
  }
  if (visitor.complaints.length > 0)
    throw new Error(`The browser complains: ${visitor.complaints.join('; ')}`)
}
