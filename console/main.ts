import './theme.css'
import { PiniaColada } from '@pinia/colada'
import { createPinia } from 'pinia'
import { createApp } from 'vue'

import App from './App.vue'
import { reloadWhenOutdated } from './frame/outdated-console.ts'
import { createConsoleRouter } from './router.ts'
import { createToasts, toastsKey } from './ui/toasts.ts'

declare global {
  /** Settings of zod: it takes them from here when it is loaded, which most pages do without. */
  var __zod_globalConfig: { jitless?: boolean } | undefined
}

/** Zod would build its checks by `new Function`, which the content security policy refuses. */
globalThis.__zod_globalConfig = Object.assign(globalThis.__zod_globalConfig ?? {}, { jitless: true })

/** How long an answer counts as new when a page is opened again. */
const freshMs = 10_000

reloadWhenOutdated()

const app = createApp(App)
app.use(createPinia())
app.use(PiniaColada, { queryOptions: { staleTime: freshMs } })
app.provide(toastsKey, createToasts())
app.use(createConsoleRouter())
app.mount('#app')
