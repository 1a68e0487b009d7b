import './theme.css'
import { PiniaColada } from '@pinia/colada'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import * as z from 'zod/mini'

import App from './App.vue'
import { createConsoleRouter } from './router.ts'
import { createToasts, toastsKey } from './ui/toasts.ts'

/** Zod would build its checks by `new Function`, which the content security policy refuses. */
z.config({ jitless: true })

/** How long an answer counts as new when a page is opened again. */
const freshMs = 10_000

// After an update of the server the files of the old console are gone: the new ones are a reload away.
addEventListener('vite:preloadError', (event) => {
  event.preventDefault()
  location.reload()
})

const app = createApp(App)
app.use(createPinia())
app.use(PiniaColada, { queryOptions: { staleTime: freshMs } })
app.use(createConsoleRouter())
app.provide(toastsKey, createToasts())
app.mount('#app')
