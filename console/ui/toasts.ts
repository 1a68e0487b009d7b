import { inject, shallowReactive } from 'vue'
import type { InjectionKey } from 'vue'

import type { Tone } from './tone.ts'

export interface Toast {
  readonly id: number
  readonly tone: Tone
  readonly text: string
  /** An undo, a retry. */
  readonly action: { readonly label: string; readonly run: () => void } | null
}

/** Short messages about what was just done. `ToastStack` shows them; errors of a form belong to the form. */
export interface Toasts {
  readonly list: readonly Toast[]
  show(tone: Tone, text: string, action?: Toast['action']): void
  dismiss(id: number): void
}

/** More than this at once nobody reads: the oldest goes. */
const maxShown = 4

export function createToasts(): Toasts {
  const list = shallowReactive<Toast[]>([])
  let lastId = 0
  return {
    list,
    show(tone, text, action = null) {
      lastId += 1
      list.push({ id: lastId, tone, text, action })
      if (list.length > maxShown) list.shift()
    },
    dismiss(id) {
      const place = list.findIndex((toast) => toast.id === id)
      if (place !== -1) list.splice(place, 1)
    },
  }
}

/** `app.provide(toastsKey, createToasts())` */
export const toastsKey: InjectionKey<Toasts> = Symbol('toasts')

export function useToasts(): Toasts {
  const toasts = inject(toastsKey)
  if (toasts === undefined) throw new TypeError('the app provides no toasts')
  return toasts
}
