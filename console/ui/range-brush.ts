import { computed, ref } from 'vue'
import type { ComputedRef } from 'vue'

import type { SeriesCursor } from './series-cursor.ts'

/** A stretch of a row that is being chosen: by dragging across it, or by Shift with the keys that move the cursor. */
export interface RangeBrush {
  /** The first and the last place, both included; null while nothing is chosen. */
  readonly span: ComputedRef<readonly [number, number] | null>
  /** Chooses from where the cursor is. */
  begin(): void
  /** Takes what is chosen, if it is more than one place. */
  take(): void
  /** Before the cursor's own: Shift holds where the stretch begins, Enter takes it, all else lets it go. */
  onKey(event: KeyboardEvent): void
  leave(): void
}

const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta'])

/** `last`: where the cursor stands while nothing is pointed at. `onTaken` gets the first and the last place. */
export function useRangeBrush(
  cursor: SeriesCursor,
  last: () => number,
  onTaken: (from: number, to: number) => void,
): RangeBrush {
  const anchor = ref<number | null>(null)
  const span = computed(() => {
    const [held, place] = [anchor.value, cursor.place.value]
    return held === null || place === null ? null : ([Math.min(held, place), Math.max(held, place)] as const)
  })

  function leave(): void {
    anchor.value = null
  }

  function take(): void {
    const chosen = span.value
    leave()
    if (chosen === null || chosen[0] === chosen[1]) return
    cursor.leave()
    onTaken(...chosen)
  }

  return {
    span,
    begin() {
      anchor.value = cursor.place.value
    },
    take,
    leave,
    onKey({ key, shiftKey }) {
      if (key === 'Enter') take()
      else if (shiftKey) anchor.value ??= cursor.place.value ?? last()
      else if (!modifiers.has(key)) leave()
    },
  }
}
