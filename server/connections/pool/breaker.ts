import type { Clock } from '../../platform/clock.ts'

/** Keeps away from places that do not answer, so that nobody waits for what will not come. */
export interface Breaker {
  /** Null: try. Otherwise how long to leave the place alone. */
  openForMs(origin: string): number | null
  succeeded(origin: string): void
  failed(origin: string): void
}

interface Failures {
  readonly count: number
  /** Monotonic ms until which nobody tries. */
  readonly openUntil: number
}

const toleratedFailures = 5
const openMs = 15_000
const maxOrigins = 5_000

/** After a pause, one attempt shows whether the place is back. */
export function createBreaker(clock: Pick<Clock, 'monotonic'>): Breaker {
  const failures = new Map<string, Failures>()

  return {
    openForMs(origin) {
      const known = failures.get(origin)
      if (known === undefined || known.count < toleratedFailures) return null
      const now = clock.monotonic()
      if (now < known.openUntil) return known.openUntil - now
      failures.set(origin, { count: known.count, openUntil: now + openMs }) // the others wait for this attempt
      return null
    },
    succeeded(origin) {
      failures.delete(origin)
    },
    failed(origin) {
      const count = (failures.get(origin)?.count ?? 0) + 1
      failures.delete(origin)
      failures.set(origin, { count, openUntil: clock.monotonic() + openMs })
      const [oldest] = failures.keys()
      if (failures.size > maxOrigins && oldest !== undefined) failures.delete(oldest)
    },
  }
}
