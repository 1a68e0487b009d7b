export const ascending = (a: number, b: number): number => a - b

/** The item at an index that must exist. Throws RangeError where it does not. */
export function elementAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`no item at ${index} of ${items.length}`)
  return item
}

/**
 * Lower median of items that are sorted ascending: a value is exceeded by it only if more than half exceed
 * that value, so that ties go to the lower one. Throws RangeError on an empty list.
 */
export function lowerMedian<T>(sorted: readonly T[]): T {
  return elementAt(sorted, (sorted.length - 1) >> 1)
}

/** Rounds to what the wire allows: an integer from 0 to 2^53 − 1. */
export function toCount(value: number): number {
  if (!Number.isFinite(value) || value <= 0) return 0
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER)
}

/**
 * Rounded mean after dropping ⌊(n−1)/3⌋ values from each end: up to that many liars cannot move it outside
 * the range of the honest values. 0 for an empty list.
 */
export function trimmedMean(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted(ascending)
  const dropped = Math.floor((sorted.length - 1) / 3)
  const kept = sorted.length - 2 * dropped
  const lowest = elementAt(sorted, dropped)
  const highest = elementAt(sorted, dropped + kept - 1)

  let mean = 0
  for (let index = dropped; index < dropped + kept; index++) {
    mean += elementAt(sorted, index) / kept // divided first: a sum of values near 2^53 would lose digits
  }
  return toCount(Math.min(Math.max(mean, lowest), highest)) // adding quotients can leave the range by a rounding error
}
