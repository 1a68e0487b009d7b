import { callOutcomes } from '../call-outcome.ts'

const place = 'gatehouse-reloaded-at'
/** A part that is still missing after a reload is missing for another reason. */
const patienceMs = 10_000

/**
 * After an update of the server the files of the old console are gone: the new ones are a reload away. When it is the
 * server that cannot be reached, a reload would only lose the page; whoever waits for it is told by the router.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => void reloadIfOutdated())
}

async function reloadIfOutdated(): Promise<unknown> {
  if (Date.now() - Number(sessionStorage.getItem(place) ?? 0) < patienceMs) return
  const page = await fetch('/').catch(() => null)
  if (page?.ok !== true) return callOutcomes.trigger('unreachable')
  if (!isOutdated(await page.text())) return
  sessionStorage.setItem(place, String(Date.now()))
  location.reload()
}

/** The name of the script that runs holds a hash of the whole console: the page of another one names another. */
function isOutdated(currentPage: string): boolean {
  const running = document.querySelector('script[type=module]')?.getAttribute('src')
  return typeof running === 'string' && !currentPage.includes(running)
}
