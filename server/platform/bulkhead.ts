/** Limits on calls in progress. */
export interface BulkheadLimits {
  readonly total: number
  readonly perPrincipal: number
  readonly perOrigin: number
}

/** Whose call it is. */
export interface CallOwner {
  /** Null for callers that cannot be told apart. */
  readonly principal: string | null
  /** Whether it has no account. */
  readonly isAnonymous: boolean
}

export interface Bulkhead {
  /** Reserves room for one call and returns what releases it, or null when too many are in progress. */
  enter(owner: CallOwner, origin: string): (() => void) | null
  size(): number
}

/**
 * Makes a bulkhead: it counts calls in progress, so that no caller and no slow server takes all there is. Anonymous
 * callers have half of the room, in all and at each origin: the other half is for accounts, however many addresses or
 * programs of this machine call without a key.
 */
export function createBulkhead(limits: BulkheadLimits): Bulkhead {
  const byPrincipal = new Map<string, number>()
  const byOrigin = new Map<string, number>()
  const anonymousByOrigin = new Map<string, number>()
  let total = 0
  let anonymous = 0

  const isFullForAll = (principal: string | null, origin: string): boolean =>
    total >= limits.total ||
    countOf(byPrincipal, principal) >= limits.perPrincipal ||
    countOf(byOrigin, origin) >= limits.perOrigin

  const isFullForAnonymous = (origin: string): boolean =>
    anonymous >= limits.total / 2 || countOf(anonymousByOrigin, origin) >= limits.perOrigin / 2

  function count(step: 1 | -1, { principal, isAnonymous }: CallOwner, origin: string): void {
    total += step
    add(byPrincipal, principal, step)
    add(byOrigin, origin, step)
    if (!isAnonymous) return
    anonymous += step
    add(anonymousByOrigin, origin, step)
  }

  return {
    enter(owner, origin) {
      if (isFullForAll(owner.principal, origin)) return null
      if (owner.isAnonymous && isFullForAnonymous(origin)) return null
      count(1, owner, origin)
      return () => count(-1, owner, origin)
    },
    size: () => total,
  }
}

const countOf = (counts: ReadonlyMap<string, number>, name: string | null): number =>
  name === null ? 0 : (counts.get(name) ?? 0)

function add(counts: Map<string, number>, name: string | null, step: 1 | -1): void {
  if (name === null) return
  const sum = countOf(counts, name) + step
  if (sum === 0) counts.delete(name)
  else counts.set(name, sum)
}
