import type { SteadyClock } from '../../platform/steady-clock.ts'

/** A clock that a test moves. */
export interface VirtualClock extends SteadyClock {
  advance(ms: number): void
  set(at: number): void
}

/** Any instant will do; this one begins an hour. */
export const someInstant = 1_800_000_000_000

export function createVirtualClock(startsAt = someInstant): VirtualClock {
  let at = startsAt
  const now = (): number => at
  return {
    now,
    earliest: now,
    latest: now,
    advance(ms) {
      at += ms
    },
    set(instant) {
      at = instant
    },
  }
}
