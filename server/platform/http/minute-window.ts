/**
 * How often something happened lately: never more than the limit in any interval of a minute, wherever it begins.
 * A ring of slices of five seconds; the sum of the last thirteen covers every minute that ends now.
 */
export interface MinuteWindow {
  readonly counts: Uint16Array
  /** Number of the newest slice, counted from the beginning of time. */
  newest: number
}

/** A window may hold what happened up to this long before its minute. */
export const sliceMs = 5_000
const slices = 60_000 / sliceMs + 1

export const emptyWindow = (): MinuteWindow => ({ counts: new Uint16Array(slices), newest: 0 })

const sliceAt = (now: number): number => Math.floor(now / sliceMs)

/** The number of the first slice that still counts. */
const oldestAt = (now: number): number => sliceAt(now) - slices + 1

/** Returns the count of a slice; 0 for one that has passed out of the ring. */
const countOf = ({ counts, newest }: MinuteWindow, slice: number): number =>
  slice > newest - slices && slice <= newest ? (counts[slice % slices] ?? 0) : 0

/** Returns how often it happened in the last minute, or up to one slice longer. `now` is in ms of a clock that does not run back. */
export function countIn(window: MinuteWindow, now: number): number {
  let sum = 0
  for (let slice = oldestAt(now); slice <= window.newest; slice++) sum += countOf(window, slice)
  return sum
}

/** Counts once more, unless `limit` is reached; says whether it did. */
export function addTo(window: MinuteWindow, now: number, limit: number): boolean {
  if (countIn(window, now) >= limit) return false
  const slice = sliceAt(now)
  for (let cleared = Math.max(window.newest + 1, oldestAt(now)); cleared <= slice; cleared++) {
    window.counts[cleared % slices] = 0
  }
  window.newest = slice
  window.counts[slice % slices] = countOf(window, slice) + 1
  return true
}

/** Seconds until the count is below `limit`; 0 when it is so now. */
export function secondsUntilFree(window: MinuteWindow, now: number, limit: number): number {
  let counted = countIn(window, now)
  let leaving = oldestAt(now)
  while (counted >= limit) counted -= countOf(window, leaving++)
  const freeAt = (leaving + slices - 1) * sliceMs
  return Math.max(0, Math.ceil((freeAt - now) / 1000))
}
