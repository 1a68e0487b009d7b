/** How much may be under way at the same time. */
export interface TurnstileLimits {
  readonly total: number
  readonly perPrincipal: number
  readonly perOrigin: number
}

export interface Turnstile {
  /** Null: there is too much under way. Otherwise what has to be called when it is over. `principal`: null is nobody. */
  enter(principal: string | null, origin: string): (() => void) | null
  size(): number
}

/** Counts calls under way, so that nobody, and no slow place, takes all there is. */
export function createTurnstile(limits: TurnstileLimits): Turnstile {
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
