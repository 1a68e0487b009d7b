/**
 * Time that stands still rather than run back: an expired key must not come to life again because somebody set the
 * clock back. Even a steady clock follows a wall clock that stays set back long enough.
 */
export function nonDecreasing(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    latest = Math.max(latest, now())
    return latest
  }
}
