import type { ProbeError } from '../../../shared/verifier-protocol.ts'

/** Pauses probes of services that answered "too many requests". Instants are milliseconds of one monotonic clock. */
export interface RateLimitBackOff {
  isPaused(serviceId: string, now: number): boolean
  /** Records the result of the service's newest probe. */
  record(serviceId: string, result: ProbeResult, now: number): void
  keepOnly(serviceIds: ReadonlySet<string>): void
}

export interface ProbeResult {
  error: ProbeError | null
  /** How long the service asked to be left alone; null where it said nothing. */
  retryAfterMs: number | null
  intervalMs: number
}

const longestPauseMs = 60_000
/** A service may ask for more patience than we would have, but not for ever. */
const retryAfterBounds = { leastMs: 1_000, mostMs: 600_000 }

interface Pause {
  pauseMs: number
  until: number
}

/** A refusal pauses the probes for as long as it says. Otherwise each in a row doubles the pause, from twice the interval up to 60 s. */
export function createRateLimitBackOff(): RateLimitBackOff {
  const pauses = new Map<string, Pause>()
  return {
    isPaused: (serviceId, now) => now < (pauses.get(serviceId)?.until ?? now),
    record(serviceId, { error, retryAfterMs, intervalMs }, now) {
      if (error !== 'RATE_LIMITED') {
        pauses.delete(serviceId)
        return
      }
      const doubledMs = 2 * (pauses.get(serviceId)?.pauseMs ?? intervalMs)
      const pauseMs = Math.min(doubledMs, longestPauseMs)
      pauses.set(serviceId, {
        pauseMs,
        until: now + (retryAfterMs === null ? pauseMs : bounded(retryAfterMs)),
      })
    },
    keepOnly(serviceIds) {
      for (const serviceId of pauses.keys()) if (!serviceIds.has(serviceId)) pauses.delete(serviceId)
    },
  }
}

const bounded = (ms: number): number =>
  Math.min(Math.max(ms, retryAfterBounds.leastMs), retryAfterBounds.mostMs)
