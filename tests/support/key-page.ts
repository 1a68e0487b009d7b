import type { Locator, Page } from 'playwright-core'

/** What a page of keys has, be they API keys or query keys, as people find it. */

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })

export const toast = (page: Page, text: string): Locator => page.getByText(text, { exact: true }).first()

export const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

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

/** Of the menu of one key; what opens then is there. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await button(page, `Actions of “${name}”`).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}
