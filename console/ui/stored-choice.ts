import { useEventListener } from '@vueuse/core'
import { ref, watch } from 'vue'
import type { Ref } from 'vue'

/** One of a few words that this browser remembers, also when another window changes it. */
export function storedChoice<Choice extends string>(key: string, choices: readonly Choice[]): Ref<Choice> {
  const [usual] = choices
  if (usual === undefined) throw new TypeError('there is nothing to choose')
  const known = (text: string | null): Choice => choices.find((choice) => choice === text) ?? usual
  const chosen = ref(known(storedText(key))) as Ref<Choice>
  watch(chosen, (choice) => keepText(key, choice))
  useEventListener(window, 'storage', (event) => {
    if (event.key === key) chosen.value = known(event.newValue)
  })
  return chosen
}

/** Whether the choice outlives the page: not every browser lets it be stored. */
function keepText(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
