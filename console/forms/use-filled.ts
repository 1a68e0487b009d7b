import { computed } from 'vue'
import type { ComputedRef } from 'vue'

/** Whether a form holds anything else than it began with: closing it would throw that away. */
export function useFilled(draft: () => unknown): ComputedRef<boolean> {
  const before = JSON.stringify(draft())
  return computed(() => JSON.stringify(draft()) !== before)
}
