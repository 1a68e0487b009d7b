import type { Clock } from '../platform/clock.ts'

/** The server's clock as far as the verifier knows it. The clock of the operating system is never set. */
export interface ServerTime {
  /** Whole epoch milliseconds. The verifier's own wall clock until the server has told its time once. */
  now(): number
  learn(serverTimeMs: number): void
}

/** Goes on by monotonic time from what the server said last, so that a jump of the wall clock changes nothing. */
export function createServerTime(clock: Clock): ServerTime {
  let startOfMonotonic: number | null = null
  return {
    now: () => Math.floor(startOfMonotonic === null ? clock.now() : startOfMonotonic + clock.monotonic()),
    learn(serverTimeMs) {
      startOfMonotonic = serverTimeMs - clock.monotonic()
    },
  }
}
