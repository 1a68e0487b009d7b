import type { Page } from 'playwright-core'

declare global {
  interface Window {
    /** Measurements of the page under test that nobody has taken yet, in milliseconds. */
    paintedMs: number[]
  }
}

/** Runs in the page. A message that is posted in a frame arrives when that frame has been painted. */
function watchPage(): void {
  const painted: number[] = []
  window.paintedMs = painted

  function noteWhenPainted(sinceMs: number): void {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => painted.push(performance.now() - sinceMs))
      port1.start()
      port2.postMessage(null)
    })
  }

  const observer = new MutationObserver(() => {
    if (document.querySelector('tbody [role=row]') === null) return
    observer.disconnect()
    noteWhenPainted(0)
  })
  observer.observe(document, { childList: true, subtree: true })
  addEventListener('keydown', ({ timeStamp }) => noteWhenPainted(timeStamp), { capture: true })
}

/**
 * In pages that are opened from now on: how long after the beginning of the navigation the first row of a table was
 * painted, and after it how long each keystroke took until the frame after it was painted. The function returned
 * waits for the next of these.
 */
export async function watchPainting(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(watchPage)
  return async () => {
    await page.waitForFunction(() => window.paintedMs.length > 0)
    return page.evaluate(() => window.paintedMs.shift() ?? Number.NaN)
  }
}
