import type { Page } from 'playwright-core'

declare global {
  interface Window {
    paintedMs: number[]
  }
}

/**
 * Runs in the page. A message that is posted in a frame arrives when that frame has been painted.
 * Instants are milliseconds since the navigation began.
 */
function installPaintWatch(): void {
  window.paintedMs = []
}

/** From now on, and for pages to come: when the first row of a table was painted. The function returned waits for it. */
export async function watchRows(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(installPaintWatch)
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('tbody [role=row]') === null) return
      observer.disconnect()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => window.paintedMs.push(performance.now()))
        port1.start()
        port2.postMessage(null)
      })
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  return () => nextPainted(page)
}

/** From now on: how long each keystroke took until it was painted. The function returned waits for the next one. */
export async function watchKeystrokes(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const onKeystroke = ({ timeStamp }: KeyboardEvent): void => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => window.paintedMs.push(performance.now() - timeStamp))
        port1.start()
        port2.postMessage(null)
      })
    }
    addEventListener('keydown', onKeystroke, { capture: true })
  })
  return () => nextPainted(page)
}

async function nextPainted(page: Page): Promise<number> {
  await page.waitForFunction(() => window.paintedMs.length > 0)
  return page.evaluate(() => window.paintedMs.shift() ?? Number.NaN)
}
