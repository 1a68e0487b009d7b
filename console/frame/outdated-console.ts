const place = 'gatehouse-reloaded-at'
/** A part that is still missing after a reload is missing for another reason. */
const patienceMs = 10_000

/**
 * After an update of the server the files of the old console are gone: the new ones are a reload away. When it is the
 * server that cannot be reached, a reload would only lose the page; whoever waits for it is told by the router.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', () => void reloadOnce())
}

async function reloadOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(place) ?? 0) < patienceMs) return
  const health = await fetch('/healthz').catch(() => null)
  if (health?.ok !== true) return
  sessionStorage.setItem(place, String(Date.now()))
  location.reload()
}
