import '../../theme.css'
import { createApp } from 'vue'

import { useTheme } from '../../frame/theme.ts'
import { createToasts, toastsKey } from '../../ui/toasts.ts'
import KitchenSink from './KitchenSink.vue'

useTheme()
createApp(KitchenSink).provide(toastsKey, createToasts()).mount('#app')
