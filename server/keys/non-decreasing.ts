/**
 * Returns a clock that stands still rather than go back, so that an expired key does not become valid again when the
 * system clock is set back. Even a steady clock follows a wall clock that stays set back long enough.
 */
export function nonDecreasing(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    latest = Math.max(latest, now())
    return latest
  }
}
