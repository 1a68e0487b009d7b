/**
 * How many streams one account may have open. A person looks at a few windows, and browsers open six connections to
 * one server at most; each stream costs a timer, buffers, and work at every change.
 */
export const mostStreamsEach = 20

/** Limits how many streams are open at once for each of those who ask for them. */
export interface StreamPlaces {
  /** What it returns gives the place back, however often it is called. Null: all of them are taken. */
  take(holder: string): (() => void) | null
}

export function createStreamPlaces(mostEach = mostStreamsEach): StreamPlaces {
  const taken = new Map<string, number>()

  function giveBack(holder: string): void {
    const left = (taken.get(holder) ?? 0) - 1
    if (left > 0) taken.set(holder, left)
    else taken.delete(holder)
  }

  return {
    take(holder) {
      const others = taken.get(holder) ?? 0
      if (others >= mostEach) return null
      taken.set(holder, others + 1)
      let isTaken = true
      return () => {
        if (isTaken) giveBack(holder)
        isTaken = false
      }
    },
  }
}
