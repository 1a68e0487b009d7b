import { Monitor, Moon, Sun } from '@lucide/vue'
import { createSharedComposable, useColorMode } from '@vueuse/core'
import type { Component } from 'vue'

export type Theme = 'auto' | 'light' | 'dark'

export const themes: readonly { value: Theme; label: string; icon: Component }[] = [
  { value: 'auto', label: 'Theme of the system', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
]

/** What was chosen. `public/theme.js` reads it from the same place before anything is drawn. */
export const useTheme = createSharedComposable(
  // Switching transitions off takes a style element, which the content security policy refuses.
  () => useColorMode({ storageKey: 'vueuse-color-scheme', disableTransition: false }).store,
)
