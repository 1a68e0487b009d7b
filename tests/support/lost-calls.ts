import type { Page } from 'playwright-core'

/**
 * Loses the calls of a page until its button "Try again" is pressed. Not only until shortly before: the page asks again by
 * itself, too, and then there is nothing left to be pressed. Before the page is opened, or read anew.
 */
export async function loseUntilTriedAgain(page: Page, calls: RegExp): Promise<void> {
  let isLost = true
  await page.exposeFunction('triedAgain', () => (isLost = false))
  await page.addInitScript(() =>
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        const isPressed =
          target instanceof Element && target.closest('button')?.textContent?.trim() === 'Try again'
        if (isPressed && 'triedAgain' in window && typeof window.triedAgain === 'function')
          window.triedAgain()
      },
      true,
    ),
  )
  await page.route(calls, (route) => (isLost ? route.abort() : route.fallback()))
}
