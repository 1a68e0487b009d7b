import { CircuitBreaker } from '../../platform/circuit-breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** One circuit breaker for each origin, so that no call waits for a server that does not answer. */
export interface OriginBreakers {
  /** Returns null when a call may try; otherwise the ms for which the origin is left alone. */
  openForMs(origin: string): number | null
  succeeded(origin: string): void
  failed(origin: string): void
}

const pauseMs = 15_000
const maxOrigins = 5_000
const settings = {
  failuresToOpen: 5,
  firstPauseMs: pauseMs,
  longestPauseMs: pauseMs,
  trialMs: pauseMs,
} as const

/** Makes the breakers. After a pause, one attempt shows whether the origin answers again; the others wait for it. */
export function createOriginBreakers(clock: Pick<Clock, 'monotonic'>): OriginBreakers {
  const breakers = new RecentMap<string, CircuitBreaker>(maxOrigins)

  return {
    openForMs(origin) {
      const breaker = breakers.get(origin)
      if (breaker === undefined || breaker.isClosed) return null
      const now = clock.monotonic()
      if (breaker.state(now) === 'open') return breaker.openForMs(now)
      breaker.begin(now)
      return null
    },
    succeeded(origin) {
      breakers.delete(origin)
    },
    failed(origin) {
      const breaker = breakers.get(origin) ?? new CircuitBreaker(settings)
      breaker.fail(clock.monotonic())
      breakers.set(origin, breaker)
    },
  }
}
