/** The wait (ms) after the first failed attempt, and the longest one. */
const firstMs = 5_000
const longestMs = 900_000

/**
 * Returns how long to wait (ms) after so many failed attempts: doubled each time up to a quarter of an hour, which makes about
 * a hundred attempts a day; longer where the receiver asks for it, within an hour. `chance` (0 to 1) keeps channels apart.
 */
export function deliveryBackOffMs(attempts: number, askedMs: number | null, chance: number): number {
  const doubled = Math.min(longestMs, firstMs * 2 ** Math.min(20, Math.max(0, attempts - 1)))
  const spread = doubled * (0.9 + 0.2 * chance)
  return Math.round(Math.max(spread, Math.min(askedMs ?? 0, 3_600_000)))
}
