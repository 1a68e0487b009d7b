import { watchEffect } from 'vue'

/** What stands in the tab of the browser. */
export const windowTitle = (subject: string | undefined): string =>
  subject === undefined ? 'Gatehouse' : `${subject} · Gatehouse`

/** Names the window for what its page shows, once that is known: several of one kind lie open beside each other. */
export function useWindowTitle(subject: () => string | undefined): void {
  watchEffect(() => {
    const known = subject()
    if (known !== undefined) document.title = windowTitle(known)
  })
}
