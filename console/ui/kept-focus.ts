import { useEventListener } from '@vueuse/core'

/** What has the focus, and each element around it up to its dialog or the page: with what comes after it. */
type Trail = readonly { readonly element: Element; readonly next: Element | null }[]

const stops = 'main, [role=dialog]'
const focusable =
  'h1, a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]'

/**
 * What has the focus can vanish: a row that one deletes, a notice that one puts away. Browsers then focus nothing, and the
 * Tab key begins again at the top. Here the focus goes to what came next, or to what is left around it. Call it once, in
 * an app that stays. Only whoever uses keys is led: a click must not make the space bar press something else.
 */
export function keepFocusNearby(): void {
  let trail: Trail = []
  /** To which one comes back from what stands on top of the page. */
  let trailInPage: Trail = []

  useEventListener(document, 'focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    // A dialog takes the focus itself when it loses what had it.
    if (target.matches('[role=dialog]') && trail[0]?.element.isConnected === false) return
    trail = target.matches(':focus-visible') ? trailOf(target) : []
    if (target.closest('main') !== null) trailInPage = trail
  })

  function keep(changes: readonly MutationRecord[]): void {
    const last = trail[0]?.element
    const active = document.activeElement
    if (last === undefined || (active !== document.body && active?.getAttribute('role') !== 'dialog')) return
    // Where rows change their order, what is moved loses the focus as well.
    const isMoved = (): boolean =>
      changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.contains(last)))
    if (last.isConnected && !(active === document.body && isMoved())) return
    ;[...placesNear(trail), ...placesNear(trailInPage)].some(takeFocus)
  }
  new MutationObserver(keep).observe(document.body, { childList: true, subtree: true })
}

function trailOf(target: Element): Trail {
  const around: Element[] = []
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    around.push(element)
    if (element.matches(stops)) return around.map((one) => ({ element: one, next: one.nextElementSibling }))
  }
  return [{ element: target, next: null }]
}

/** The nearest first. */
function placesNear(trail: Trail): Element[] {
  const gone = trail.findLast(({ element }) => !element.isConnected)
  const places = [gone?.next ?? null, ...trail.map(({ element }) => element)]
  return places.filter((place) => place !== null).filter(({ isConnected }) => isConnected)
}

/** The focus goes to the first thing in this place that takes it; whether there was one. */
const takeFocus = (place: Element): boolean =>
  [place, ...place.querySelectorAll(focusable)].some((element) => {
    if (element instanceof HTMLElement && element.matches(focusable)) element.focus({ preventScroll: true })
    return element === document.activeElement
  })
