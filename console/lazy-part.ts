import { defineAsyncComponent } from 'vue'
import type { AsyncComponentLoader, Component } from 'vue'

const retryMs = 2_000
const maxAttempts = 15

/**
 * A part of a page that is loaded when it is first shown. Without a connection it comes as soon as there is one again;
 * Vue by itself would never try a second time.
 */
export const lazyPart = <Part extends Component>(loader: AsyncComponentLoader<Part>): Part =>
  defineAsyncComponent<Part>({
    loader,
    onError: (_error, retry, fail, attempts) =>
      void (attempts < maxAttempts ? setTimeout(retry, retryMs) : fail()),
  })
