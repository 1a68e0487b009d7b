import type { Page } from 'playwright-core'

/** Types what the open dialog asks for before it deletes something for good. */
export async function typeConfirmation(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const label = await dialog.locator('label', { hasText: /^Type “/ }).textContent()
  await dialog.getByLabel(/^Type “.+ to confirm$/).fill(/“(.+?)”/.exec(label ?? '')?.[1] ?? '')
}
