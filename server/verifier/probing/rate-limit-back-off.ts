import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'

/**
 * Pauses probes of services that answered "too many requests": at the address where they did, with the headers that they
 * got. Instants are milliseconds of one monotonic clock.
 */
export interface RateLimitBackOff {
  isPaused(target: AskedTarget, now: number): boolean
  /** Records the result of the target's newest probe. */
  record(target: AskedTarget, result: ProbeResult, now: number): void
  keepOnly(serviceIds: ReadonlySet<string>): void
}

export type AskedTarget = Pick<Target, 'serviceId' | 'endpoint' | 'headers'>

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
  /** Another address, or another key in the headers, is not limited by it. */
  access: string
  pauseMs: number
  until: number
}

/** A refusal pauses the probes for as long as it says. Otherwise each in a row doubles the pause, from twice the interval up to 60 s. */
export function createRateLimitBackOff(): RateLimitBackOff {
  const pauses = new Map<string, Pause>()

  function pauseOf(target: AskedTarget): Pause | null {
    const pause = pauses.get(target.serviceId)
    return pause?.access === accessOf(target) ? pause : null
  }

  return {
    isPaused: (target, now) => now < (pauseOf(target)?.until ?? now),
    record(target, { error, retryAfterMs, intervalMs }, now) {
      const last = pauseOf(target)
      if (error !== 'RATE_LIMITED') {
        if (last !== null) pauses.delete(target.serviceId)
        return
      }
      const pauseMs = Math.min(2 * (last?.pauseMs ?? intervalMs), longestPauseMs)
      pauses.set(target.serviceId, {
        access: accessOf(target),
        pauseMs,
        until: now + (retryAfterMs === null ? pauseMs : bounded(retryAfterMs)),
      })
    },
    keepOnly(serviceIds) {
      for (const serviceId of pauses.keys()) if (!serviceIds.has(serviceId)) pauses.delete(serviceId)
    },
  }
}

const accessOf = ({ endpoint, headers = {} }: AskedTarget): string => JSON.stringify([endpoint, headers])

const bounded = (ms: number): number =>
  Math.min(Math.max(ms, retryAfterBounds.leastMs), retryAfterBounds.mostMs)
