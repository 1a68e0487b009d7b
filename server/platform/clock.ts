/** The one reader of time. Domains get a `Clock` as an argument, so that tests can move it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. Jumps when somebody sets it: for display and expiry only. */
  now(): number
  /** Milliseconds that never run backwards: for every interval, age and deadline. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
