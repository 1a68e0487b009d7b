import type { ProbeError } from '../../../shared/verifier-protocol.ts'

/** Pauses probes of services that answered "too many requests". Instants are milliseconds of one monotonic clock. */
export interface RateLimitBackOff {
  /** Returns the round trip of the refusal that is reported again during a pause; null when the service may be probed. */
  pausedSince(serviceId: string, now: number): { rttMs: number } | null
  /** Records the result of the service's newest probe. */
  record(serviceId: string, error: ProbeError | null, rttMs: number, intervalMs: number, now: number): void
  keepOnly(serviceIds: ReadonlySet<string>): void
}

const longestPauseMs = 60_000

interface Pause {
  pauseMs: number
  until: number
  rttMs: number
}

/**
 * Each refusal in a row doubles the pause, from twice the interval up to 60 s. The refusal is reported again during
 * the pause: a service without any report would lose its quorum and become UNKNOWN.
 */
export function createRateLimitBackOff(): RateLimitBackOff {
  const pauses = new Map<string, Pause>()
  return {
    pausedSince(serviceId, now) {
      const pause = pauses.get(serviceId)
      return pause && now < pause.until ? { rttMs: pause.rttMs } : null
    },
    record(serviceId, error, rttMs, intervalMs, now) {
      if (error !== 'RATE_LIMITED') {
        pauses.delete(serviceId)
        return
      }
      const doubledMs = 2 * (pauses.get(serviceId)?.pauseMs ?? intervalMs)
      const pauseMs = Math.min(doubledMs, longestPauseMs)
      pauses.set(serviceId, { pauseMs, until: now + pauseMs, rttMs })
    },
    keepOnly(serviceIds) {
      for (const serviceId of pauses.keys()) if (!serviceIds.has(serviceId)) pauses.delete(serviceId)
    },
  }
}
