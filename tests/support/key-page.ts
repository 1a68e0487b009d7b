import type { Locator, Page } from 'playwright-core'

/** What a page of keys has, be they API keys or query keys, as people find it. */

export const keySwitch = (page: Page, name: string): Locator =>
  page.getByRole('switch', { name: `“${name}” is enabled` })

export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** The value that the page has just told of. */
export const newValue = (page: Page, name: string): Promise<string> =>
  page
    .getByRole('region', { name: `Value of “${name}”` })
    .locator('code')
    .first()
    .innerText()
