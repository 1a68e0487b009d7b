import { useEventListener } from '@vueuse/core'
import { computed, ref } from 'vue'

import { textCopies } from '../ui/clipboard.ts'

/** Whether a secret that is shown this once was not copied yet, alone or within a command. Null: there is none. */
export function useUnstoredSecret(secret: () => string | null) {
  const stored = ref<string | null>(null)

  function onCopy(text: string): void {
    const value = secret()
    if (value !== null && text.includes(value)) stored.value = value
  }
  textCopies.on(onCopy)
  // By hand.
  useEventListener(document, 'copy', () => onCopy(String(getSelection())))
  return computed(() => ![null, stored.value].includes(secret()))
}
