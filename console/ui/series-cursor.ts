import { ref } from 'vue'
import type { Ref } from 'vue'

/** One place in a row of drawn things, pointed at or stepped through by keys. */
export interface SeriesCursor {
  /** Null while nothing is pointed at. */
  readonly place: Readonly<Ref<number | null>>
  /** `fraction`: how far along the row, from 0 to 1. */
  point(fraction: number): void
  leave(): void
  onKey(event: KeyboardEvent): void
}

const pageSteps = 10

/** The reading of a chart: arrow keys, Page Up and Down, Home and End step through it, Escape leaves it. */
export function useSeriesCursor(count: () => number): SeriesCursor {
  const place = ref<number | null>(null)

  function moveTo(target: number): void {
    place.value = Math.max(0, Math.min(count() - 1, target))
  }

  function targetOf(key: string): number | null {
    const last = count() - 1
    const current = place.value ?? last
    switch (key) {
      case 'ArrowLeft':
      case 'ArrowDown':
        return current - 1
      case 'ArrowRight':
      case 'ArrowUp':
        return current + 1
      case 'PageDown':
        return current - pageSteps
      case 'PageUp':
        return current + pageSteps
      case 'Home':
        return 0
      case 'End':
        return last
      default:
        return null
    }
  }

  return {
    place,
    point: (fraction) => moveTo(Math.floor(fraction * count())),
    leave() {
      place.value = null
    },
    onKey(event) {
      if (event.key === 'Escape') place.value = null
      const target = targetOf(event.key)
      if (target === null) return
      event.preventDefault()
      moveTo(target)
    },
  }
}

/** How far along an element the pointer is, from 0 to 1. */
export function fractionOf(event: PointerEvent): number {
  if (!(event.currentTarget instanceof Element)) return 0
  const { left, width } = event.currentTarget.getBoundingClientRect()
  return width === 0 ? 0 : Math.max(0, Math.min(0.999_999, (event.clientX - left) / width))
}
