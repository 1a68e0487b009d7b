import '../../theme.css'
import { createApp } from 'vue'

import { createToasts, toastsKey } from '../../ui/toasts.ts'
import KitchenSink from './KitchenSink.vue'

const isDark = new URLSearchParams(location.search).get('theme') === 'dark'
document.documentElement.classList.toggle('dark', isDark)
createApp(KitchenSink).provide(toastsKey, createToasts()).mount('#app')
