/** The wait (ms) after the first failed attempt, and the longest one. */
const firstMs = 5_000
const longestMs = 900_000
/** The longest wait (ms) that a receiver may ask for. */
const longestAskedMs = 3_600_000

/**
 * Returns how long to wait (ms) after so many failed attempts: doubled each time up to a quarter of an hour, which makes about
 * a hundred attempts a day; longer where the receiver asks for it, within an hour. `chance` (0 to 1) keeps channels apart.
 */
export function deliveryBackOffMs(attempts: number, askedMs: number | null, chance: number): number {
  const doubled = Math.min(longestMs, firstMs * 2 ** Math.min(20, Math.max(0, attempts - 1)))
  const spread = doubled * (0.9 + 0.2 * chance)
  return Math.round(Math.max(spread, Math.min(askedMs ?? 0, longestAskedMs)))
}

/**
 * Returns how long (ms) nothing goes to a channel after a failed attempt: as long as the receiver asks for, within an hour, and
 * otherwise a few seconds only, because what failed may be the fault of that one message.
 */
export const channelPauseMs = (askedMs: number | null): number =>
  Math.max(firstMs, Math.min(askedMs ?? 0, longestAskedMs))
