import { useQueryCache } from '@pinia/colada'
import { useEventListener } from '@vueuse/core'

/** Between the windows of one browser. */
const channel = new BroadcastChannel('gatehouse-changes')

/** Tells the other windows that something was changed here. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin and takes none
export const tellOtherWindows = (): void => channel.postMessage('changed')

/** Reads anew what this window shows when another one has changed something; unseen, it does so when it is seen again. */
export function watchOtherWindows(): void {
  const cache = useQueryCache()
  useEventListener(channel, 'message', () => {
    const isSeen = document.visibilityState === 'visible'
    void cache.invalidateQueries({}, isSeen ? undefined : false)
  })
}
