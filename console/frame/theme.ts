import { Monitor, Moon, Sun } from '@lucide/vue'
import { watchEffect } from 'vue'
import type { Component, Ref } from 'vue'

import { storedChoice } from '../ui/stored-choice.ts'

export type Theme = 'auto' | 'light' | 'dark'

export const themes: readonly { value: Theme; label: string; icon: Component }[] = [
  { value: 'auto', label: 'Theme of the system', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
]

let theme: Ref<Theme> | null = null

/** What was chosen. `public/theme.js` reads it from the same place before anything is drawn. */
export function useTheme(): Ref<Theme> {
  // The key is that of a library which kept it before.
  theme ??= followed(storedChoice('vueuse-color-scheme', ['auto', 'light', 'dark']))
  return theme
}

/** As long as the page is open, it has the theme that was chosen, or that of the system. */
function followed(chosen: Ref<Theme>): Ref<Theme> {
  const darkSystem = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const isDark = chosen.value === 'dark' || (chosen.value === 'auto' && darkSystem.matches)
    document.documentElement.classList.toggle('dark', isDark)
  }
  darkSystem.addEventListener('change', apply)
  watchEffect(apply)
  return chosen
}
