import { computed } from 'vue'
import type { ComputedRef } from 'vue'

/** Whether what a form is about is not any more what it was when the form was opened. */
export const useChangedElsewhere = (subject: () => unknown): ComputedRef<boolean> => useFilled(subject)

/** Whether a form holds anything else than it began with: closing it would throw that away. */
export function useFilled(draft: () => unknown): ComputedRef<boolean> {
  const before = JSON.stringify(draft())
  return computed(() => JSON.stringify(draft()) !== before)
}
