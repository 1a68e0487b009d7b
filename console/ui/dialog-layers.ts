/** What closes each dialog that is open, that of the topmost one last. */
const layers = new Set<() => void>()

/** Returns what takes the dialog away again. */
export function addLayer(close: () => void): () => void {
  layers.add(close)
  return () => void layers.delete(close)
}

/**
 * Guard of the router: a step in the browser's history closes the topmost dialog, which on a phone is all that can be seen,
 * and the page stays.
 */
export function stepClosesDialog({ fullPath }: { readonly fullPath: string }): boolean {
  const close = [...layers].at(-1)
  // A step has changed the address before anybody hears of it, and a link has not.
  const { pathname, search, hash } = location
  if (close === undefined || fullPath !== pathname + search + hash) return true
  // The router takes the step back. What closing writes into the address belongs to the entry that then is there again.
  addEventListener('popstate', close, { once: true })
  return false
}
