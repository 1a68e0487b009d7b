import './theme.css'
import { PiniaColada } from '@pinia/colada'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import * as z from 'zod/mini'

import App from './App.vue'
import { reloadWhenOutdated } from './frame/outdated-console.ts'
import { createConsoleRouter } from './router.ts'
import { createToasts, toastsKey } from './ui/toasts.ts'

/** Zod would build its checks by `new Function`, which the content security policy refuses. */
z.config({ jitless: true })

/** How long an answer counts as new when a page is opened again. */
const freshMs = 10_000

reloadWhenOutdated()

const app = createApp(App)
app.use(createPinia())
app.use(PiniaColada, { queryOptions: { staleTime: freshMs } })
app.use(createConsoleRouter())
app.provide(toastsKey, createToasts())
app.mount('#app')
