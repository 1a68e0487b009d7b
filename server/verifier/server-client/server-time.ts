import type { Clock } from '../../platform/clock.ts'

/** The verifier's estimate of the server's clock. The clock of the operating system is never set. */
export interface ServerTime {
  /** Returns whole epoch milliseconds: those of the verifier's own wall clock until the server has sent its time once. */
  now(): number
  synchronize(serverTimeMs: number): void
}

/** Adds monotonic time to the server's last known time, so that a jump of the wall clock changes nothing. */
export function createServerTime(clock: Clock): ServerTime {
  let startOfMonotonic: number | null = null
  return {
    now: () => Math.floor(startOfMonotonic === null ? clock.now() : startOfMonotonic + clock.monotonic()),
    synchronize(serverTimeMs) {
      startOfMonotonic = serverTimeMs - clock.monotonic()
    },
  }
}
