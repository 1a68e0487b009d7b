import { afterEach } from 'bun:test'

afterEach(() => void Reflect.deleteProperty(document, 'visibilityState'))

/** Hides the tab, or shows it again, as the browser tells the page. */
export function turnTab(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}
