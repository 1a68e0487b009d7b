import type { Locator, Page } from 'playwright-core'

/** What most pages of the console have, as people find it. */

export const dialog = '[role=dialog]'

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })

export const inDialog = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })

/** Of a table, or the card that stands for it on a phone. */
export const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

export const card = (page: Page, title: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) })

/** What is told at the edge of the window, and to screen readers. */
export const toast = (page: Page, text: string): Locator => page.getByText(text, { exact: true }).first()

/** Of the menu of one row; what opens then is there. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await button(page, `Actions of “${name}”`).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}
