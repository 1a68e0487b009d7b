import { computed, ref } from 'vue'
import type { ComputedRef, Ref } from 'vue'

import { steadyOrder } from './rank.ts'

interface SteadyRows<Row> {
  readonly rows: ComputedRef<readonly Row[]>
  /** To be put on what surrounds the rows. */
  readonly holding: Readonly<
    Record<'onPointerenter' | 'onPointerleave' | 'onFocusin' | 'onFocusout', () => void>
  >
  readonly isHeld: ComputedRef<boolean>
}

/**
 * Rows whose values change at once, but whose order stands while somebody points at them or is among them with the
 * keyboard: nobody shall click on a row that came in the moment before. `reason`: what makes a new order at once, such
 * as another filter.
 */
export function useSteadyRows<Row extends { readonly id: string }>(
  wanted: Ref<readonly Row[]>,
  reason: () => string,
): SteadyRows<Row> {
  const isPointed = ref(false)
  const isFocused = ref(false)
  const isHeld = computed(() => isPointed.value || isFocused.value)
  let shown: readonly string[] = []
  let shownFor = ''

  const rows = computed(() => {
    const isSameList = shownFor === reason()
    const ordered = steadyOrder(shown, wanted.value, isHeld.value && isSameList)
    shown = ordered.map(({ id }) => id)
    shownFor = reason()
    return ordered
  })
  return {
    rows,
    isHeld,
    holding: {
      onPointerenter: () => void (isPointed.value = true),
      onPointerleave: () => void (isPointed.value = false),
      onFocusin: () => void (isFocused.value = true),
      onFocusout: () => void (isFocused.value = false),
    },
  }
}
