/** Limits on calls in progress. */
export interface BulkheadLimits {
  readonly total: number
  readonly perPrincipal: number
  readonly perOrigin: number
}

export interface Bulkhead {
  /**
   * Reserves room for one call and returns what releases it, or null when too many are in progress. `principal` is
   * null for callers that cannot be told apart.
   */
  enter(principal: string | null, origin: string): (() => void) | null
  size(): number
}

/** Makes a bulkhead: it counts calls in progress, so that no caller and no slow server takes all there is. */
export function createBulkhead(limits: BulkheadLimits): Bulkhead {
  const byPrincipal = new Map<string, number>()
  const byOrigin = new Map<string, number>()
  let total = 0

  return {
    enter(principal, origin) {
      const ofPrincipal = principal === null ? 0 : (byPrincipal.get(principal) ?? 0)
      const ofOrigin = byOrigin.get(origin) ?? 0
      if (total >= limits.total || ofPrincipal >= limits.perPrincipal || ofOrigin >= limits.perOrigin)
        return null
      total += 1
      if (principal !== null) byPrincipal.set(principal, ofPrincipal + 1)
      byOrigin.set(origin, ofOrigin + 1)
      return () => {
        total -= 1
        if (principal !== null) countDown(byPrincipal, principal)
        countDown(byOrigin, origin)
      }
    },
    size: () => total,
  }
}

function countDown(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 1) - 1
  if (left === 0) counts.delete(name)
  else counts.set(name, left)
}
